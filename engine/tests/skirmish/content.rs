//! Content of one's own: what the rules could not be played with is refused on load.

use edgehill_engine::games::skirmish::Skirmish;

/// The faults of the built-in content with a board in which `from` is written `to`.
fn faults(from: &str, to: &str) -> String {
    let board = include_str!("../../content/skirmish/board.toml");
    assert!(board.contains(from), "{from}");
    let files =
        Skirmish::builtin().overlay([("board.toml".to_owned(), board.replace(from, to).into_bytes())]);
    let loaded = files.map_err(|errors| errors.to_string()).map(|files| Skirmish::load(&files));
    loaded
        .expect("the file replaces a built-in one")
        .map(|_| ())
        .expect_err("it should be refused")
        .to_string()
}

#[test]
fn a_board_that_can_not_be_played_on_is_refused() {
    for (from, to, fault) in [
        (r#"roads = ["mill", "heath"]"#, r#"roads = ["mill"]"#, "the road to south-camp does not lead back"),
        (r#"["north-camp", "south-camp"]"#, r#"["mill", "mill"]"#, "different spaces"),
        (
            r#"["village", "mill", "heath", "south-camp"]"#,
            r#"["north-camp", "mill", "heath", "village"]"#,
            "different",
        ),
        ("turns = 4", "turns = 0", "turns 1 to 12"),
        ("interception_at_least = 4", "interception_at_least = 7", "interception_at_least 2 to 6"),
    ] {
        let faults = faults(from, to);
        assert!(faults.contains(fault), "{to}: {faults}");
        assert!(faults.contains("board.toml"), "{faults}");
    }
}
