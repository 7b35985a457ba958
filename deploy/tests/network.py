"""A network of machines that are namespaces of this one: each has its own address, ports and loopback."""

from __future__ import annotations

import atexit
import itertools
import os
import subprocess

from tools import require, require_tools, run

# Each name is this process's own, so that suites beside each other share nothing.
_PREFIX = f"edgehill-{os.getpid()}"
_numbers = itertools.count()


class Network:
    """Machines on one switch, by name. They reach each other by the addresses that they were given, and nobody else."""

    def __init__(self, **addresses: str) -> None:
        require(os.geteuid() == 0, "root, for network namespaces,")
        require_tools("ip")
        tried = subprocess.run(["ip", "netns", "add", self._new()], capture_output=True, text=True, check=False)
        require(tried.returncode == 0, "the right to make network namespaces")
        self.addresses = addresses
        self._switch = self._last
        self._machines = {name: self._new() for name in addresses}
        # However the suite ends.
        atexit.register(self.close)
        self._in(self._switch, "link", "add", "switch", "type", "bridge")
        self._in(self._switch, "link", "set", "switch", "up")
        for number, (name, address) in enumerate(addresses.items()):
            machine = self._machines[name]
            run("ip", "netns", "add", machine)
            self._in(
                machine, "link", "add", "port", "type", "veth", "peer", "name", f"port{number}", "netns", self._switch
            )
            self._in(machine, "address", "add", f"{address}/24", "dev", "port")
            for device in ("lo", "port"):
                self._in(machine, "link", "set", device, "up")
            self._in(self._switch, "link", "set", f"port{number}", "master", "switch", "up")

    def _new(self) -> str:
        self._last = f"{_PREFIX}-{next(_numbers)}"
        return self._last

    @staticmethod
    def _in(machine: str, *arguments: str) -> None:
        run("ip", "-netns", machine, *arguments)

    def on(self, name: str) -> tuple[str, ...]:
        """What runs a command on one of them, put before it."""
        return ("ip", "netns", "exec", self._machines[name])

    def hosts(self) -> str:
        """The text of `/etc/hosts` by which they know each other."""
        return "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in self.addresses.items())

    def close(self) -> None:
        """Takes it apart. What ran in it has ended before."""
        atexit.unregister(self.close)
        for machine in (*self._machines.values(), self._switch):
            subprocess.run(["ip", "netns", "delete", machine], stderr=subprocess.DEVNULL, check=False)
