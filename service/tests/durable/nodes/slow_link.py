"""A link that is slow: `slow_link.py ONE OTHER MILLISECONDS` makes two interfaces, and hands each packet from one to the other that much
later. It says `ready` when both are there, and ends with its input; the interfaces, and the routes over them, go with it.

For kernels without `netem`.
"""

import fcntl
import os
import select
import struct
import sys
import time
from collections import deque

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
PACKET_MAX = 65_536


def interface(name: str) -> int:
    """Makes an interface of layer 3; the file of its packets."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return file


def main() -> None:
    one, other = interface(sys.argv[1]), interface(sys.argv[2])
    delay = int(sys.argv[3]) / 1_000
    ways = {one: other, other: one}
    # Since all wait for as long, they are due in the order in which they came.
    due: deque[tuple[float, int, bytes]] = deque()
    print("ready", flush=True)
    while True:
        wait = max(0.0, due[0][0] - time.monotonic()) if due else None
        readable, _, _ = select.select([one, other, sys.stdin], [], [], wait)
        if sys.stdin in readable:
            return
        for file in readable:
            try:
                while packet := os.read(file, PACKET_MAX):
                    due.append((time.monotonic() + delay, ways[file], packet))
            except BlockingIOError:
                pass
        while due and due[0][0] <= time.monotonic():
            _, file, packet = due.popleft()
            try:
                os.write(file, packet)
            except OSError:
                # An interface that is not up yet loses what comes.
                pass


main()
