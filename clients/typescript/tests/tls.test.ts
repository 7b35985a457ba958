/** A server with TLS: the authorities that a client trusts, and the certificates that it shows. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { CallFailed, type Certificates, connect, InvalidOption } from "edgehill";
import { bothSeats, failed } from "./asking.js";
import { Server } from "./running.js";

const folder = mkdtempSync(join(tmpdir(), "edgehill-tls-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function openssl(...given: readonly string[]): void {
  execFileSync("openssl", given, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}

/** Returns the path of a file of this suite. */
function path(name: string): string {
  return join(folder, name);
}

function pem(name: string): string {
  return readFileSync(path(name), "utf8");
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc"];

/** Makes an authority that nobody else knows. */
function authority(name: string): void {
  openssl(
    "req",
    "-x509",
    ...KEY,
    "-days",
    "2",
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.pem`,
  );
}

/** Has an authority certify this machine, as a server or as a client. */
function certify(name: string, by: string, usage: "serverAuth" | "clientAuth"): void {
  openssl("req", "-new", ...KEY, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
  writeFileSync(path(`${name}.ext`), `subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=${usage}\n`);
  const signed = [
    "-CA",
    `${by}.pem`,
    "-CAkey",
    `${by}.key`,
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    `${name}.ext`,
  ];
  openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`);
}

/** Serves by TLS, and asks every client for a certificate. */
async function served(): Promise<void> {
  for (const name of ["here", "clients", "elsewhere"]) authority(name);
  certify("server", "here", "serverAuth");
  certify("ada", "clients", "clientAuth");
  certify("foreign", "elsewhere", "clientAuth");
  const server = await Server.start(
    { after },
    {
      EDGEHILL_TLS__CERTIFICATE: path("server.pem"),
      EDGEHILL_TLS__KEY: path("server.key"),
      EDGEHILL_TLS__CLIENT_CA: path("clients.pem"),
    },
  );
  const url = `https://${server.address}`;
  const shown: Certificates = { ca: pem("here.pem"), cert: pem("ada.pem"), certKey: pem("ada.key") };

  test("a client that trusts and shows the right ones is served", async () => {
    await using client = connect(url, { ...shown, retry: { connectMs: 5000 } });
    const [north] = await bothSeats(client);
    await using session = client.playSeats();
    session.open(north);
    assert.equal((await session.next()).value?.seat.number, 0);
    await using fromBytes = connect(url, { ...shown, ca: readFileSync(path("here.pem")), retry: { connectMs: 5000 } });
    assert.ok((await fromBytes.games()).length > 0);
  });

  test("others are not", async () => {
    const { ca, cert, certKey } = shown;
    const others: Certificates[] = [
      { ca: pem("elsewhere.pem"), cert, certKey },
      { cert, certKey },
      { ca },
      { ca, cert: pem("foreign.pem"), certKey: pem("foreign.key") },
    ];
    for (const certificates of others) {
      await using client = connect(url, { ...certificates, retry: { connectMs: 500, deadlineMs: 0 } });
      await failed(CallFailed, client.games());
    }
  });
}

const isMissing = spawnSync("openssl", ["version"]).error !== undefined;
if (isMissing && !process.env["CI"]) test.skip("TLS (openssl, which makes the certificates, is missing)");
else await served();

const PEM = (what: string) => `-----BEGIN ${what}-----\n`;
test("certificates that are none are told before anything is tried", () => {
  const [url, address] = ["https://play.example", "play.example:7400"];
  const [ca, cert, certKey] = [PEM("CERTIFICATE"), PEM("CERTIFICATE"), PEM("PRIVATE KEY")];
  const wrong: [string, Certificates, RegExp][] = [
    [url, { ca: "" }, /ca holds no certificate/],
    [url, { ca: new TextEncoder().encode("none") }, /ca holds no certificate/],
    [url, { cert }, /goes with its key/],
    [url, { certKey }, /goes with its key/],
    [url, { cert: certKey, certKey }, /cert holds no certificate/],
    [url, { cert, certKey: cert }, /certKey holds no private key/],
    [address, { ca }, /https/],
  ];
  for (const [where, certificates, said] of wrong) {
    assert.throws(
      () => connect(where, certificates),
      (error) => error instanceof InvalidOption && said.test(error.message),
    );
  }
});
