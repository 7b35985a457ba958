"""A server with TLS: what the clients trust, and the certificates that they show."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from edgehill import CallFailed, Client, InvalidCertificate, RetryPolicy, aio
from running import Server

SOON = RetryPolicy(connect_seconds=5)


class Authority:
    """An authority that nobody else knows."""

    def __init__(self, name: str) -> None:
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        made = self._builder(self._name, self._key).add_extension(constraints, critical=True)
        self.pem = made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    def _builder(self, name: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
        )

    def certify(self, usage: x509.ObjectIdentifier) -> tuple[bytes, bytes]:
        """Returns a certificate of this machine, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = self._builder(x509.Name([]), key)
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        made = builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        pkcs8, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        return made, key.private_bytes(serialization.Encoding.PEM, pkcs8, plain)


class Tls(unittest.TestCase):
    """Against a server that asks every client for a certificate."""

    folder: Path
    authority: Authority
    server: Server
    shown: tuple[bytes, bytes]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.authority = Path(folder.name), Authority("here")
        clients = Authority("clients")
        cls.shown = clients.certify(ExtendedKeyUsageOID.CLIENT_AUTH)
        certificate, key = cls.authority.certify(ExtendedKeyUsageOID.SERVER_AUTH)
        variables = {
            "EDGEHILL_TLS__CERTIFICATE": cls.file("server.pem", certificate),
            "EDGEHILL_TLS__KEY": cls.file("server.key.pem", key),
            "EDGEHILL_TLS__CLIENT_CA": cls.file("clients.pem", clients.pem),
        }
        cls.server = type("TlsServer", (Server,), {"variables": variables})()
        cls.addClassCleanup(cls.server.close)

    @classmethod
    def file(cls, name: str, pem: bytes) -> str:
        """Writes a file for its owner alone, and returns its path."""
        path = cls.folder / name
        path.touch(0o600)
        path.write_bytes(pem)
        return str(path)

    @property
    def url(self) -> str:
        return f"https://{self.server.address}"

    def test_a_client_that_trusts_and_shows_the_right_ones_is_served(self) -> None:
        cert, cert_key = self.shown
        with Client(self.url, ca=self.authority.pem, cert=cert, cert_key=cert_key, retry=SOON) as client:
            self.assertIn("skirmish", [game.id for game in client.games()])

        async def awaited() -> None:
            ca = self.authority.pem
            async with aio.Client(self.url, ca=ca, cert=cert, cert_key=cert_key, retry=SOON) as client:
                self.assertIn("skirmish", [game.id for game in await client.games()])

        asyncio.run(awaited())

    def test_a_bot_is_told_by_files(self) -> None:
        cert, cert_key = (self.file(name, pem) for name, pem in zip(("cert.pem", "cert.key.pem"), self.shown))
        with Client(self.url, ca=self.authority.pem, cert=self.shown[0], cert_key=self.shown[1], retry=SOON) as client:
            seat = client.join(client.create("skirmish").match.config.match_id)
            command = [sys.executable, "-m", "edgehill.random_bot", "--server", self.url, "--match", seat.match_id]
            files = ["--ca", self.file("ca.pem", self.authority.pem), "--cert", cert, "--cert-key", cert_key]
            bot = subprocess.Popen([*command, *files, "--join"], stdout=subprocess.PIPE, text=True)
            assert bot.stdout is not None
            self.assertEqual(bot.stdout.readline(), "joined as seat 1\n")
            seat.resign()
            bot.communicate(timeout=60)
            self.assertEqual(bot.returncode, 0)

    def test_others_are_not(self) -> None:
        cert, cert_key = self.shown
        elsewhere = Authority("elsewhere")
        foreign, foreign_key = elsewhere.certify(ExtendedKeyUsageOID.CLIENT_AUTH)
        for ca, shown in (
            (elsewhere.pem, (cert, cert_key)),
            (None, (cert, cert_key)),
            (self.authority.pem, (None, None)),
            (self.authority.pem, (foreign, foreign_key)),
        ):
            retry = RetryPolicy(connect_seconds=0.5, deadline_seconds=0)
            with Client(self.url, ca=ca, cert=shown[0], cert_key=shown[1], retry=retry) as client:
                # A server says that it lacks a certificate when the client believes that it is connected.
                with self.assertRaises(CallFailed):
                    client.games()

    def test_what_is_none_is_told_before_anything_is_tried(self) -> None:
        ca, (cert, cert_key) = self.authority.pem, self.shown
        wrong: tuple[tuple[str, dict[str, Any], str], ...] = (
            (self.url, {"ca": b""}, "ca holds no certificate"),
            (self.url, {"cert": cert}, "goes with its key"),
            (self.url, {"cert_key": cert_key}, "goes with its key"),
            (self.url, {"cert": cert_key, "cert_key": cert_key}, "cert holds no certificate"),
            (self.url, {"cert": cert, "cert_key": cert}, "cert_key holds no private key"),
            (self.server.address, {"ca": ca}, "https"),
        )
        for url, given, said in wrong:
            for make in (Client, aio.Client):
                with self.subTest(said=said), self.assertRaisesRegex(InvalidCertificate, said) as caught:
                    make(url, **given)
                self.assertNotIn(cert_key.decode().splitlines()[1], str(caught.exception))


if __name__ == "__main__":
    unittest.main()
