"""A Kalman filter in NumPy, one object after the other."""

import numpy as np

from field import Call, Struct, rng

SEEN = np.eye(2, 4)


def step(state, doubt, dt, place):
    f = np.eye(4)
    f[0, 2] = f[1, 3] = dt
    state, doubt = f @ state, f @ doubt @ f.T + 0.01 * np.eye(4)
    if np.isnan(place).any():
        return state, doubt
    gain = doubt @ SEEN.T @ np.linalg.inv(SEEN @ doubt @ SEEN.T + 0.5 * np.eye(2))
    return state + gain @ (place - SEEN @ state), (np.eye(4) - gain @ SEEN) @ doubt


def follow(places, dt):
    states = np.zeros((*places.shape[:2], 4))
    for k, path in enumerate(places):
        state, doubt = np.zeros(4), 10 * np.eye(4)
        for i, place in enumerate(path):
            state, doubt = step(state, doubt, dt, place)
            states[k, i] = state
    return states


def calls():
    r = rng("tracking")
    for k, n in ((0, 0), (0, 5), (1, 1), (1, 0), (3, 17), (7, 101), (2, 13)):
        places = r.normal(size=(k, n, 1, 2)).cumsum(1)[:, :, 0]
        places[r.random((k, n)) < 0.1] = np.nan
        yield Call("follow", (places, 0.25), follow(places, 0.25), rtol=1e-9, atol=1e-9, slow=k * n > 100)
    for place in (np.array([1.0, -2.0]), np.array([np.nan, 0.0]), np.array([np.nan, np.nan])):
        state, half = r.normal(size=4), r.normal(size=(4, 4))
        track = Struct("Track", state=state, doubt=half @ half.T)
        yield Call("step", (track, 0.5, place), step(state, half @ half.T, 0.5, place), rtol=1e-9, atol=1e-9)
