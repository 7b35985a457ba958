/**
 * The vectors of records: the record of docs/record.md, and what anybody may make of it who has no key to sign with.
 *
 * Texts follow from the page; the outcomes are written here by hand, from the page and from the tests of the client for
 * Python.
 */

import assert from "node:assert/strict";
import { example, resealed } from "../forging.js";

/** The check of a record that fails first. */
export type RecordFault =
  | "format"
  | "characters"
  | "end"
  | "digest"
  | "line"
  | "unsigned"
  | "signer"
  | "signature"
  | "commitment"
  | "entropy_commitment"
  | "entropies";

/** A record, and all that a check of it comes to. */
export interface RecordVector {
  readonly name: string;
  readonly text: string;
  /** The keys that are trusted, in hexadecimal digits; `null`: none was named. */
  readonly signing_keys: readonly string[] | null;
  /** The parts that stay open, sorted; absent where there is a fault. */
  readonly unchecked?: readonly string[];
  readonly fault?: RecordFault;
  /** Fields of the record as they are read. */
  readonly read?: Readonly<Record<string, unknown>>;
}

const PLAIN = ["rules", "seed"];
const UNSIGNED = ["end", "entropy", "host's word", "names", ...PLAIN];
const ZERO_KEY = "0".repeat(64);

/** Makes all of them. */
export function recordVectors(): RecordVector[] {
  const text = example();
  const key = /^signer (.*)$/m.exec(text)?.[1] ?? "";
  const signature = text.slice(text.indexOf("\nsigner ") + 1);
  const edited = (from: RegExp | string, to: string, given = text): string => {
    const changed = given.replace(from, to);
    assert.notEqual(changed, given, `${from} is not there`);
    return changed;
  };
  const withheld = text.replace(/^(server-seed|salt) .*$/gm, "$1 withheld").replace(/^entropy .*\n( {2}.*\n)?/gm, "");
  const forged = {
    "dice edited while the seed is withheld": ["seed", edited(/^dice 3\/0: 4/m, "dice 3/0: 5", withheld)],
    "cut before its end": ["end", edited(/^resigned (.*\n)+result .*$/m, "result none")],
    "a resignation put in": ["end", edited(/^resigned south/m, "resigned north")],
    "names changed": ["names", edited(/^seat north "Ann"/m, 'seat north "Eve"')],
    "entropy changed": ["entropy", edited(/^entropy 0 .*\n {2}.*$/m, `entropy 0 ${"77".repeat(32)}`)],
  } as const;
  const ended = (result: string, lines: string) =>
    resealed(edited(/^result [^\n]*\nend /m, `${result}\n${lines}\nend `));
  // Without its last entry, the resignation, the match is not over by its rules.
  const unfinished = (lines: string) =>
    resealed(edited(/^resigned [^\n]*\nresult [^\n]*\n/m, `result none\n${lines}\n`));
  const behind = (lines: string) => resealed(edited(/^end /m, `${lines}\nend `));
  const open = { signing_keys: null, unchecked: UNSIGNED };
  const faulty = (name: string, text: string, fault: RecordFault, keys: readonly string[] | null = null) => {
    return { name, text, signing_keys: keys, fault };
  };

  const vectors: RecordVector[] = [
    {
      name: "signed by a known key",
      text,
      signing_keys: [key],
      unchecked: PLAIN,
      read: { game: "skirmish", match: "match-7", players: ["Ann", "Jörg"], draws: 10, rolls: 3, given_up: "" },
    },
    { name: "signed by one of several known keys", text, signing_keys: [ZERO_KEY, key], unchecked: PLAIN },
    { name: "signed by a key that nobody has named", text, ...open },
    { name: "not signed", text: resealed(text), ...open },
    { name: "seed withheld", text: resealed(withheld), ...open },
    {
      name: "with the line ends of a mail",
      text: text.replaceAll("\n", " \r\n"),
      signing_keys: [key],
      unchecked: PLAIN,
    },
    faulty("signed by another key than the known one", text, "signer", [ZERO_KEY]),
    faulty("not signed, and it had to be", resealed(text), "unsigned", [key]),
    faulty("an older format", text.replace("record 2", "record 1"), "format"),
    faulty("a letter that is not ASCII", text.replace("J\\u00f6rg", "Jörg"), "characters"),
    faulty("without its last lines", text.slice(0, text.indexOf("\nend ") + 1), "end"),
    faulty("a signature without its key", text.replace(/^signer .*\n/m, ""), "end"),
    faulty(
      "a digest of capital digits",
      text.replace(/^end .*$/m, (line) => line.toUpperCase().replace("END", "end")),
      "end",
    ),
    faulty("another server seed", resealed(text.replace(/^server-seed 07/m, "server-seed 08")), "commitment"),
    faulty("another game", resealed(text.replace("game skirmish", "game chess")), "commitment"),
    faulty(
      "entropy that opens another commitment",
      resealed(text.replace(/^entropy 0 64/m, "entropy 0 65")),
      "entropy_commitment",
    ),
    faulty("a seat without a place in the seed", resealed(edited(/^entropy 1 absent\n/m, "")), "entropies"),
  ];
  for (const [name, [part, changed]] of Object.entries(forged)) {
    const unchecked = part === "end" || part === "seed" || part === "entropy" || part === "names" ? UNSIGNED : [];
    vectors.push({ name: `${name}, resealed`, text: resealed(changed), signing_keys: null, unchecked });
    vectors.push(faulty(name, changed, "digest"));
    vectors.push(faulty(`${name}, with the signature of before`, resealed(changed, signature), "signature"));
    vectors.push(faulty(`${name}, and it had to be signed`, resealed(changed), "unsigned", [key]));
  }

  const read = {
    "adjourned 3 by seats for 60000 lasted 5": {
      adjournments: [{ entries: 3, by: "seats", longest_ms: 60_000, lasted_ms: 5 }],
    },
    'referee 3 time north 300000 reason "the bell rang"': {
      referee_acts: [{ entries: 3, kind: "time", reason: "the bell rang" }],
    },
    'referee 3 replaced north "Ann" reason ""': {
      referee_acts: [{ entries: 3, kind: "replaced", reason: "" }],
    },
    'referee 35 corrected 0 0 reason "they had agreed on a draw"': {
      referee_acts: [{ entries: 35, kind: "corrected", reason: "they had agreed on a draw" }],
    },
    'referee 5 adjourned 600000 reason ""': { referee_acts: [{ entries: 5, kind: "adjourned", reason: "" }] },
    'referee 6 resumed reason ""': { referee_acts: [{ entries: 6, kind: "resumed", reason: "" }] },
  };
  for (const [line, fields] of Object.entries(read)) {
    vectors.push({ name: line, text: behind(line), ...open, read: fields });
  }
  for (const line of [
    "adjourned 3 by north for 5",
    "adjourned 3 by seats",
    "adjourned 3 by seats for long",
    "adjourned 3 by seats for 5 lasted",
    'referee 3 time north reason ""',
    'referee 3 corrected reason ""',
    "referee 3 voided",
    "postscript",
  ]) {
    vectors.push(faulty(line, behind(line), "line"));
  }
  const unended = {
    "given up": ["given-up south\nadjourned 3 by seats for 60000 lasted 5", { given_up: "south" }],
    voided: ['referee 34 voided reason ""', { referee_acts: [{ entries: 34, kind: "voided", reason: "" }] }],
    "adjourned at its end": [
      "adjourned 34 by referee for 60000",
      { adjournments: [{ entries: 34, by: "referee", longest_ms: 60_000, lasted_ms: null }] },
    ],
  } as const;
  for (const [name, [lines, fields]] of Object.entries(unended)) {
    vectors.push({ name, text: unfinished(lines), ...open, read: fields });
  }
  for (const [name, result, lines] of [
    ["given up behind a result", 'result victory rule 9 returns 1 -1 grade ""', "given-up south"],
    ["given up twice", "result none", "given-up south\ngiven-up south"],
    ["given up by nobody", "result none", "given-up "],
    ["given up by two", "result none", "given-up south north"],
    ["given up behind a referee's act", "result none", 'referee 3 voided reason ""\ngiven-up south'],
  ] as const) {
    vectors.push(faulty(name, ended(result, lines), "line"));
  }
  return vectors;
}
