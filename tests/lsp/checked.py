"""A client that checks what the server says: each message has the type that the protocol gives to its method."""

import client
from lsprotocol import converters, types

CONVERTER = converters.get_converter()


class Client(client.Client):
    def __init__(self, *arguments, **options):
        self.methods = {}  # of requests, by their numbers
        super().__init__(*arguments, **options)

    def request(self, method, params):
        number = super().request(method, params)
        self.methods[number] = method
        return number

    def read(self, timeout=60):
        message = super().read(timeout)
        if message and "error" not in message:
            tells = "method" in message
            method = message["method"] if tells else self.methods.get(message["id"])
            if method in types.METHOD_TO_TYPES:
                CONVERTER.structure(message, types.METHOD_TO_TYPES[method][0 if tells else 1])
        return message
