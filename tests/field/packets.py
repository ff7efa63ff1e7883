"""Headers by Python's struct module and ipaddress."""

import ipaddress
import struct

import numpy as np

from field import Call, Records, Rows, UpTo, rng

ETHERNET = np.dtype([("to", "u1", 6), ("from", "u1", 6), ("kind", "u2")], align=True, metadata={"struct": "Ethernet"})
IP = np.dtype(
    [("version_length", "u1"), ("service", "u1"), ("length", "u2"), ("id", "u2"), ("fragment", "u2"), ("ttl", "u1"), ("protocol", "u1"), ("checksum", "u2"), ("source", "u4"), ("target", "u4")],
    align=True,
    metadata={"struct": "Ip"},
)


def checksum(header):
    words = struct.unpack(">10H", header)
    total = sum(words) - words[5]
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def make(r, n):
    link, ip = np.zeros(n, ETHERNET), np.zeros(n, IP)
    for part in (link, ip):
        raw = r.integers(0, 256, (n, part.itemsize), dtype="u1")
        part.view("u1").reshape(n, part.itemsize)[:] = raw
    link["kind"] = np.where(r.random(n) < 0.8, 0x0008, 0xDD86)
    ip["version_length"] = 0x40 + r.integers(5, 16, n)
    ip["ttl"] = r.integers(0, 4, n)
    for k, h in enumerate(ip):
        if r.random() < 0.8:
            ip["checksum"][k] = struct.unpack("<H", struct.pack(">H", checksum(h.tobytes())))[0]
    ports = r.integers(0, 3, (n, 2), dtype="u2") << 8
    return dict(time=r.integers(0, 2**64, n, dtype="u8"), link=link, ip=ip, ports=ports)


def forwarded(hardware, p):
    keep = (p["link"]["kind"] == 8) & (p["ip"]["ttl"] > 1)
    p = {name: column[keep].copy() for name, column in p.items()}
    p["link"]["from"] = p["link"]["to"]
    p["link"]["to"] = hardware
    for k in range(len(p["ip"])):
        h = p["ip"][k]
        old = int.from_bytes(h["checksum"].tobytes(), "big")
        word = int(h["ttl"]) << 8 | int(h["protocol"])
        h["ttl"] -= 1
        total = (~old & 0xFFFF) + (~word & 0xFFFF) + (word - 256)
        while total >> 16:
            total = (total & 0xFFFF) + (total >> 16)
        h["checksum"] = int.from_bytes((~total & 0xFFFF).to_bytes(2, "little"), "big")
        p["ip"][k] = h
    return Records("Packet", **p)


def calls():
    r = rng("packets")
    prefixes = [("10.0.0.0", 8), ("10.1.0.0", 16), ("0.0.0.0", 1), ("10.1.2.3", 32), ("192.168.0.0", 16)]
    for n in (0, 1, 5, 61):
        p = make(r, n)
        p["ip"]["target"][: n // 2] = np.resize(np.array([0x0302010A, 0x0902010A, 0x0101A8C0, 0x0100000A], "u4"), n // 2)
        packets = Records("Packet", **p)
        right = np.array([checksum(h.tobytes()) == int.from_bytes(h["checksum"].tobytes(), "big") for h in p["ip"]], bool)
        yield Call("intact", (packets,), right, slow=n > 50)
        hardware = np.arange(1, 7, dtype="u1")
        yield Call("forwarded", (hardware, packets), UpTo(forwarded(hardware, p), n), slow=n > 50)
        nets = [ipaddress.ip_network(f"{a}/{b}") for a, b in prefixes]
        want = []
        for t in p["ip"]["target"]:
            address = ipaddress.ip_address(t.tobytes())
            want.append(max([(-1, -1), *((net.prefixlen, k) for k, net in enumerate(nets) if address in net)])[1])
        table = Rows((np.array([int(net.network_address) for net in nets], "u4"), np.array([b for _, b in prefixes], "u1")))
        yield Call("routes", (packets, table), np.array(want, "i4"), slow=n > 50)
        ports = np.array([0, 1, 2, 1], "u2")
        lengths = [max(0, int.from_bytes(h["length"].tobytes(), "big") - 4 * (int(h["version_length"]) & 15)) for h in p["ip"]]
        sums = [sum(x for x, to in zip(lengths, p["ports"][:, 1]) if int(to) >> 8 == port) for port in ports]
        times = p["time"].tolist()
        yield Call("totals", (packets, ports), (np.array(sums, "u8"), np.uint64(max(times) - min(times) if times else 0)), slow=n > 50)
