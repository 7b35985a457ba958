//! The content loader on small made-up files: what it reads, and every error that it can name.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::collections::BTreeSet;

use edgehill_engine::content::{
    Confidence, ContentErrors, ContentFiles, ContentHash, ContentRecord, FILE_BYTES_MAX, Loader, Records,
};
use serde::Deserialize;

#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "read for their types")]
struct Space {
    name: String,
    bias: i8,
    home: Option<Side>,
    label: Label,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Side {
    Royalist,
    Parliament,
}

#[derive(Deserialize, Debug)]
#[expect(dead_code, reason = "read for their types")]
struct Label {
    lon: i16,
    lat: i16,
}

#[derive(Deserialize, Debug)]
struct Border {
    id: String,
}

#[derive(Deserialize, Debug)]
struct Clock {
    months: u8,
}

const SOURCES: &str = r#"
    [sources]
    page = "The rules page"
    atlas = "An atlas"
    [defaults.space]
    source = "atlas"
    confidence = { "*" = "reconstructed", label = "inferred" }
"#;

const KENT: &str = r#"
    [[space]]
    id = "KEN"
    name = "Kent"
    bias = -2
    home = "parliament"
    label = { lon = 75, lat = 5120 }
"#;

fn files(text: &str) -> ContentFiles {
    ContentFiles::builtin(&[("spaces.toml", text.to_owned().leak().as_bytes())])
}

fn spaces(text: &str) -> Result<Records<Space>, ContentErrors> {
    let files = files(text);
    let mut load = Loader::new(&files);
    let spaces = load.records("spaces.toml", "space");
    load.finish(|| Some(spaces))
}

fn citations<T>(record: &ContentRecord<T>) -> Vec<String> {
    record.source.iter().map(ToString::to_string).collect()
}

/// Loads the sources above with these records and compares all errors, one a line.
fn check(records: &str, expected: &str) {
    check_whole(&format!("{SOURCES}{records}"), expected);
}

fn check_whole(text: &str, expected: &str) {
    let errors = spaces(text).expect_err("the content is faulty").to_string();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_record_has_its_value_its_sources_and_a_level_for_each_field() {
    let oxford = r#"
        [[space]]
        id = "OXF"
        name = "Oxford"
        bias = 3
        label = { lon = -135, lat = 5180 }
        source = ["page 6, 10", "atlas"]
        confidence = { name = "official", bias = "house" }
        note = "The royal capital."
    "#;
    let spaces = spaces(&format!("{SOURCES}{KENT}{oxford}")).unwrap();

    let kent = &spaces[0];
    assert_eq!((kent.id.as_str(), kent.bias, &kent.home), ("KEN", -2, &Some(Side::Parliament)));
    assert_eq!(citations(kent), ["An atlas"]);
    assert_eq!(kent.note, None);
    assert_eq!(kent.weakest(), Confidence::Reconstructed);

    let oxford = spaces.get("OXF").unwrap();
    assert_eq!(spaces.position("OXF"), Some(1));
    assert_eq!(citations(oxford), ["The rules page, 6, 10", "An atlas"]);
    assert_eq!(oxford.note.as_deref(), Some("The royal capital."));
    // The record's own word for a field, the table's for that field, the table's for the rest; also for the home
    // that Oxford doesn't have.
    let levels = [
        ("name", Confidence::Official),
        ("bias", Confidence::House),
        ("home", Confidence::Reconstructed),
        ("label", Confidence::Inferred),
    ];
    assert_eq!(oxford.fields().collect::<Vec<_>>(), levels);
    assert_eq!(oxford.confidence("label"), Some(Confidence::Inferred));
    assert_eq!(oxford.confidence("lable"), None);
    // The part that is kept by a caller who takes the record apart.
    let kept = oxford.levels();
    assert_eq!((kept.of("name"), kept.of("bias")), (Confidence::Official, Confidence::House));
    assert_eq!(kept.of_all(&["name", "label"]), Confidence::Inferred);
    assert_eq!(kept.of_all(&[]), Confidence::Official);
}

#[test]
fn one_word_of_a_record_covers_all_its_fields() {
    let spaces = spaces(&format!("{SOURCES}{KENT}confidence = \"official\"\nsource = \"page 3\"")).unwrap();
    assert_eq!(spaces[0].weakest(), Confidence::Official);
}

#[test]
fn a_badge_is_the_weakest_field() {
    let levels = r#"confidence = { "*" = "official", home = "public-secondary", label = "inferred" }"#;
    let spaces = spaces(&format!("{SOURCES}{KENT}{levels}")).unwrap();
    assert_eq!(spaces[0].weakest(), Confidence::Inferred);
}

#[test]
fn the_file_has_a_default_for_all_its_tables() {
    let text = r#"
        [sources]
        page = "The rules page"
        [defaults."*"]
        source = "page"
        confidence = "official"
        [clock]
        months = 3
        [[border]]
        id = "KEN-SSX"
    "#;
    let files = files(text);
    let mut load = Loader::new(&files);
    let clock = load.record::<Clock>("spaces.toml", "clock");
    let borders = load.records::<Border>("spaces.toml", "border");
    let (clock, borders) = load.finish(|| Some((clock?, borders))).unwrap();
    assert_eq!((clock.id.as_str(), clock.months, clock.weakest()), ("clock", 3, Confidence::Official));
    // A type that declares `id` is given it, and then it is a field like any other.
    assert_eq!(borders[0].value.id, "KEN-SSX");
    assert_eq!(borders[0].confidence("id"), Some(Confidence::Official));
}

#[test]
fn errors_name_file_record_and_field() {
    check(
        &KENT.replace("-2", "\"x\""),
        r#"spaces.toml: space KEN: bias: invalid type: string "x", expected i8"#,
    );
    check(
        &KENT.replace("5120", "51.2"),
        "spaces.toml: space KEN: label.lat: invalid type: floating point `51.2`, expected i16",
    );
    check(
        &KENT.replace("-2", "200"),
        "spaces.toml: space KEN: bias: invalid value: integer `200`, expected i8",
    );
    check(&KENT.replace("bias = -2", ""), "spaces.toml: space KEN: missing field `bias`");
    check(
        &KENT.replace("\"parliament\"", "\"roundhead\""),
        "spaces.toml: space KEN: home: unknown variant `roundhead`, expected `royalist` or `parliament`",
    );
}

#[test]
fn unknown_fields_are_refused_whatever_the_type_says() {
    check(
        &format!("{KENT}colour = \"red\""),
        "spaces.toml: space KEN: colour: unknown field, expected one of name, bias, home, label",
    );
}

#[test]
fn all_errors_of_a_record_and_of_all_records_come_together() {
    let records = r#"
        [[space]]
        name = 1
        bias = "x"
        label = { lon = 1, lat = true }
        colour = "red"
        source = ["nowhere", 3]
        confidence = { nam = "official", bias = "sure" }

        [[space]]
        id = "SSX"
        source = []
        confidence = 7
        note = 7
    "#;
    let levels = "`official`, `public-secondary`, `inferred`, `house` or `reconstructed`";
    let expected = format!(
        r#"
        spaces.toml: space #1: id: expected a name
        spaces.toml: space #1: source: there is no source "nowhere" in [sources]
        spaces.toml: space #1: source: expected the key of a source, or a list of keys
        spaces.toml: space #1: confidence.bias: unknown confidence "sure", expected {levels}
        spaces.toml: space #1: confidence.nam: no such field, expected one of name, bias, home, label
        spaces.toml: space #1: colour: unknown field, expected one of name, bias, home, label
        spaces.toml: space #1: bias: invalid type: string "x", expected i8
        spaces.toml: space #1: label.lat: invalid type: boolean `true`, expected i16
        spaces.toml: space #1: name: invalid type: integer `1`, expected a string
        spaces.toml: space SSX: source: expected at least one source
        spaces.toml: space SSX: confidence: expected a level, or a table of levels by field
        spaces.toml: space SSX: note: expected some words
        spaces.toml: space SSX: missing field `name`
        "#
    );
    check(records, &expected);
}

#[test]
fn provenance_has_no_default_of_its_own() {
    check_whole(
        KENT,
        "
        spaces.toml: space KEN: source: missing, and no default
        spaces.toml: space KEN: confidence.name: missing, and no default
        spaces.toml: space KEN: confidence.bias: missing, and no default
        spaces.toml: space KEN: confidence.home: missing, and no default
        spaces.toml: space KEN: confidence.label: missing, and no default
        ",
    );
}

#[test]
fn ids_are_unique_in_their_table() {
    check(&format!("{KENT}{KENT}"), "spaces.toml: space KEN: id: comes twice");
}

#[test]
fn a_single_record_has_the_name_of_its_table() {
    let files = files(&format!(
        "{SOURCES}[defaults.clock]\nsource = \"page\"\nconfidence = \"house\"\n[clock]\nid = \"c\"\nmonths = 3"
    ));
    let mut load = Loader::new(&files);
    let clock = load.record::<Clock>("spaces.toml", "clock");
    load.record::<Clock>("spaces.toml", "clock");
    let errors = load.finish(|| clock).unwrap_err().to_string();
    assert_eq!(
        errors.lines().collect::<Vec<_>>(),
        [
            "spaces.toml: clock: id: a single record is named by its table",
            "spaces.toml: expected a record [clock]",
            "spaces.toml: defaults space: unknown table",
        ]
    );
}

#[test]
fn defaults_and_tables_that_nobody_reads_are_refused() {
    let rest = r#"
        [defaults."*"]
        confidence = { name = "official" }
        colour = "red"
        [defaults.spaec]
        confidence = "official"
        [clock]
        months = 3
    "#;
    check(
        &format!("{KENT}{rest}"),
        "
        spaces.toml: defaults *: confidence.name: no such field, expected one of *
        spaces.toml: defaults *: colour: expected source or confidence
        spaces.toml: clock: unknown table
        spaces.toml: defaults spaec: unknown table
        ",
    );
    check_whole(
        &format!("{}{KENT}", SOURCES.replace("label =", "lable =")),
        "spaces.toml: defaults space: confidence.lable: no such field, expected one of name, bias, home, label",
    );
}

#[test]
fn a_file_that_can_not_be_read_is_one_error() {
    check_whole("a = 1\nb = [", "spaces.toml: line 2, column 6: unclosed array, expected `]`");
    check_whole("", "spaces.toml: expected records [[space]]");
    check_whole("space = 1", "spaces.toml: expected records [[space]]");

    let latin = ContentFiles::builtin(&[("spaces.toml", b"name = \"\xe9\"")]);
    let mut load = Loader::new(&latin);
    load.records::<Space>("spaces.toml", "space");
    load.record::<Clock>("spaces.toml", "clock");
    load.record::<Clock>("game.toml", "clock");
    let errors = load.finish(|| Some(())).unwrap_err().to_string();
    assert_eq!(errors, "spaces.toml: not UTF-8 from byte 8\ngame.toml: missing");
}

#[test]
fn references_are_checked_against_what_is_declared() {
    let borders = r#"
        [defaults."*"]
        source = "page"
        confidence = "official"
        [[border]]
        id = "KEN-SSX"
        [[border]]
        id = "KEN-KNT"
    "#;
    let sussex = KENT.replace("KEN", "SSX").replace("-2", "\"x\"");
    let files = files(&format!("{SOURCES}{KENT}{sussex}{borders}"));
    let mut load = Loader::new(&files);
    let spaces = load.records::<Space>("spaces.toml", "space");
    let borders = load.records::<Border>("spaces.toml", "border");
    load.check_references(&borders, "id", &spaces, |border| border.id.split('-'));
    // Sussex is faulty, but it is there: the border to it is not.
    assert_eq!(
        load.finish(|| Some(())).unwrap_err().to_string(),
        "spaces.toml: space SSX: bias: invalid type: string \"x\", expected i8\n\
         spaces.toml: border KEN-KNT: id: there is no space KNT"
    );
}

#[test]
fn a_type_without_fields_is_a_mistake_of_the_program() {
    let attempt = std::panic::catch_unwind(|| {
        let files = files(KENT);
        Loader::new(&files).records::<BTreeSet<String>>("spaces.toml", "space");
    });
    assert!(attempt.is_err());
}

#[test]
fn an_overlay_replaces_files_and_is_no_longer_built_in() {
    let base = ContentFiles::builtin(&[("a.toml", b"x = 1"), ("b.toml", b"x = 2")]);
    assert!(base.is_builtin());

    let same = base.clone().overlay([("a.toml".to_owned(), b"x = 1".to_vec())]).unwrap();
    assert!(same.is_builtin());
    assert_eq!(same.hash(), base.hash());

    let other = base.clone().overlay([("b.toml".to_owned(), b"x = 3".to_vec())]).unwrap();
    assert!(!other.is_builtin());
    assert_ne!(other.hash(), base.hash());
    assert_eq!(other.iter().collect::<Vec<_>>(), [("a.toml", &b"x = 1"[..]), ("b.toml", &b"x = 3"[..])]);
}

#[test]
fn an_overlay_of_unknown_double_or_huge_files_is_refused() {
    let base = ContentFiles::builtin(&[("a.toml", b"1"), ("b.toml", b"2")]);
    let file = |name: &str, length| (name.to_owned(), vec![b'#'; length]);
    let layer = [file("a.toml", 1), file("a.toml", 1), file("B.toml", 1), file("b.toml", FILE_BYTES_MAX + 1)];
    assert_eq!(
        base.overlay(layer).unwrap_err().to_string(),
        "a.toml: comes twice\nB.toml: the game has no such content file\nb.toml: longer than 1048576 bytes"
    );
}

#[test]
fn builtin_names_are_plain() {
    for name in ["", ".toml", "A.toml", "a/b.toml", "a b", "ä.toml", &"a".repeat(65)] {
        let attempt = std::panic::catch_unwind(|| ContentFiles::builtin(&[(name, b"")]));
        assert!(attempt.is_err(), "{name:?}");
    }
}

const SHIRE: &str = r#"# A comment.
[sources]
map = "A map"

[defaults.space]
source = "map 1"
confidence = { "*" = "official" }

[[space]]
id = "kent"
coastal = true
units = [2, -1]
note = "as printed"
"#;

fn hash_of(text: &str) -> ContentHash {
    ContentFiles::builtin(&[("a.toml", b"")])
        .overlay([("a.toml".to_owned(), text.as_bytes().to_vec())])
        .unwrap()
        .hash()
}

/// Computed apart from the engine, with Python's `tomllib`, from the text of `ContentHash`'s documentation.
#[test]
fn the_hash_is_byte_exact() {
    let none = ContentFiles::builtin(&[]);
    assert_eq!(none.hash().to_string(), "ae5c3b0029707911edac7ca6662068329300ebddcee23f3cfb10937876a8cb72");
    let three = ContentFiles::builtin(&[
        ("rules.toml", b"x = 1"),
        ("b-1.toml", b"\x00\xff"),
        ("a.toml", SHIRE.as_bytes()),
    ]);
    assert_eq!(three.hash().to_string(), "2f3d73193e51053a4a9f90a5833c2d9076211ee82ed5a396e7bc7e8e20c91dcd");
}

#[test]
fn the_hash_is_of_what_the_content_means() {
    let alike = [
        SHIRE.replace("# A comment.", "# Another one.\n\n"),
        SHIRE.replace("coastal = true\nunits = [2, -1]", "units = [\n  2,\n  -1,\n]\ncoastal = true"),
        SHIRE.replace("as printed", "as it was told"),
        SHIRE.replace("official", "reconstructed"),
        SHIRE.replace("A map", "Another map"),
    ];
    for text in &alike {
        assert_ne!(text, SHIRE);
        assert_eq!(hash_of(text), hash_of(SHIRE), "{text}");
    }
    let others = [
        SHIRE.replace("true", "false"),
        SHIRE.replace("[2, -1]", "[-1, 2]"),
        SHIRE.replace("kent", "essex"),
        SHIRE.replace("coastal", "inland"),
        SHIRE.replace("[[space]]", "[[area]]"),
        format!("{SHIRE}\n[[space]]\nid = \"essex\"\n"),
    ];
    for text in &others {
        assert_ne!(hash_of(text), hash_of(SHIRE), "{text}");
    }
}

#[test]
fn hashes_and_levels_parse_as_they_print() {
    let hash = ContentHash::from_bytes([0xab; 32]);
    let text = "ab".repeat(32);
    assert_eq!(hash.to_string(), text);
    assert_eq!(text.parse(), Ok(hash));
    assert_eq!(format!("{hash:?}"), format!("ContentHash({text})"));
    for bad in ["", "ab", &"AB".repeat(32), &"ag".repeat(32), &"ab".repeat(33)] {
        assert!(bad.parse::<ContentHash>().is_err(), "{bad:?}");
    }

    for level in Confidence::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    assert!(Confidence::ALL.is_sorted());
    assert!("Official".parse::<Confidence>().is_err());
}
