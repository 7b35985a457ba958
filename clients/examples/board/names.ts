// Names: what the catalogue calls things, numbers and codes, and the colors of their sides.
import type * as v1 from "edgehill/v1";
import { Confidence, MarkerPriority } from "edgehill/v1";
import { game, view } from "./match";

// Each thing has a key such as `space:3`; `box:0.3` is a box of a track.
export function keyOf(of?: v1.Ref | v1.Location) {
  const thing = of && ("what" in of ? of.what : of.place);
  return thing?.case ? `${thing.case}:${thing.value}` : "";
}

export function entryOf(key: string): Partial<v1.CatalogEntry> {
  const [list = "", index = ""] = key.split(":");
  if (list === "box") {
    const { label, number, grade, gives, attributes, confidence } = boxOf(key);
    return { name: `${label || number} ${grade && `(${grade})`}`, rulesText: gives, attributes, confidence };
  }
  const lists = { space: game.spaces, mat: game.mats, track: game.tracks, pile: game.piles, piece: game.pieces, card: game.cards,
    seat: game.seats, kind: game.kinds, marker: game.markers };
  const found = lists[list as keyof typeof lists]?.[Number(index)];
  return (found && ("entry" in found ? found.entry : (found as Partial<v1.CatalogEntry>))) ?? { name: index };
}

export function boxOf(key: string) {
  const [track = 0, box = 0] = key.slice(4).split(".").map(Number);
  return game.tracks[track]!.boxes[box]!;
}

export const nameOf = (key: string) => entryOf(key).name ?? key;
export const confidenceOf = (confidence: Confidence = 0) => Confidence[confidence].toLowerCase().replace("_", "-");
export const withUnit = (text: unknown, unit = "") => (unit ? `${text} ${unit}` : `${text}`);
export const named = (values: v1.ValueName[], number: unknown) => values.find((each) => each.number === number)?.name;
export const valueText = ({ value }: v1.AttributeValue, unit = "", values: v1.ValueName[] = []) =>
  value.case === "reference" ? nameOf(keyOf(value.value)) : (named(values, value.value) ?? withUnit(value.value, unit));
export const attributeText = ({ index, values }: v1.Attribute) =>
  `${game.attributes[index]!.label}: ${values.map((value) =>
    valueText(value, game.attributes[index]!.unit, game.attributes[index]!.values)).join(", ")}`;
/** The name of a code, or the code. */
export const codeText = (codes: v1.CodeDef[], code: string) => codes.find(({ id }) => id === code)?.name ?? code;
/** What takes a role: a number by its name there, or the members of a set. */
export function roleText(role: v1.RoleDef | undefined, what?: v1.Ref) {
  const number = what?.what.case === "number" ? what.what.value : undefined;
  if (role?.bits && number !== undefined)
    return role.values.filter((each) => number & each.number).map(({ name }) => name).join(" and ") || "none";
  return named(role?.values ?? [], number) ?? withUnit(nameOf(keyOf(what)), role?.unit);
}
/** A template filled in; docs/contract.md, section 7, has its places. */
export function filled({ code, refs }: { code: string; refs: v1.Ref[] }) {
  const numberOf = ({ what }: v1.Ref) => (what.case === "number" ? what.value : undefined);
  const valueNamed = (ref: v1.Ref, marker?: string) => game.markers.find(({ entry }) => entry!.id === marker)
    ?.entry!.values.find(({ number }) => number === numberOf(ref))?.name ?? nameOf(keyOf(ref));
  const template = game.phrases.find((each) => each.code === code)?.template ?? code;
  return template.replace(/\{(-?\d+)(\.\.([a-z]*))?(?:@([a-z]+))?((?:\|[^{}|]*)*)\}/g, (place, index, list, kind, marker, rest) => {
    const forms: string[] = rest.split("|").slice(1);
    if (forms.length > 1 && forms.every((form) => !form)) return "";
    if (list) {
      const names = refs.slice(+index).filter(({ what }) => !kind || what.case === kind).map((ref) => valueNamed(ref, marker));
      if (!names.length) return forms[2] ?? "";
      const last = names.pop()!;
      return `${forms[0] ?? ""}${names.length ? `${names.join(", ")} and ` : ""}${last}${forms[1] ?? ""}`;
    }
    const ref = refs.at(+index);
    if (!ref) return place;
    if (!forms.length) return valueNamed(ref, marker);
    return Math.abs(numberOf(ref) ?? 1) === 1 ? forms[0]! : forms[1] ?? forms[0]!;
  });
}
export const phraseText = (phrase: v1.Phrase) => phrase.text || filled(phrase);

export const markerDef = ({ key }: v1.Marker) => game.markers[key!.kind]!;
export const valueOf = (marker: v1.Marker) => markerDef(marker).entry!.values.find(({ number }) => number === marker.number);
export const markerText = (marker: v1.Marker) =>
  `${markerDef(marker).entry!.name}: ${valueOf(marker)?.name ?? withUnit(marker.number, markerDef(marker).unit)}`;
export const markersAt = (key: string, ...priorities: MarkerPriority[]) => (view?.board?.markers ?? []).filter(
  (marker) => keyOf(marker.key!.at) === key && (!priorities.length || priorities.includes(markerDef(marker).priority)));
/** The seat that a marker names, such as who controls a place. */
export function seatOf(marker: v1.Marker) {
  const what = valueOf(marker)?.what?.what;
  return what?.case === "seat" ? what.value : undefined;
}

export const colorOf = (owner?: number) => game.seats[owner ?? -1]?.color;
/** The color of the side that the first of these things names, where nobody owns them. */
export function colorOfSide(...keys: string[]) {
  const index = game.attributes.findIndex(({ id }) => id === "side");
  const sides = keys.flatMap((key) => entryOf(key).attributes ?? []).filter((each) => each.index === index);
  const side = sides[0]?.values[0]?.value;
  return side?.case === "text" ? [...game.seats, ...game.sides].find(({ id }) => id === side.value)?.color : undefined;
}
export const paint = (color?: string) => (color ? `background: ${color}; color: contrast-color(${color})` : "");
