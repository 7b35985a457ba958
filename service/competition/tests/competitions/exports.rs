//! Exports: whole, exact, and nothing but data in them.

use edgehill_competition::export::{csv, html, json};
use edgehill_competition::rating::RatingSystem;
use edgehill_competition::{
    Competition, CompetitionEvent, CompetitionSettings, Format, LadderOrder, TieBreak, Verdict,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::driver::{Driver, Trouble, better_wins, entrant};
use crate::settings::{KNOCKOUT, any_settings, length, settings};

/// Every export of a competition.
fn all(competition: &Competition) -> [String; 6] {
    [
        html::page(competition),
        json::document(competition),
        json::match_lines(competition),
        csv::standings(competition),
        csv::cross_table(competition),
        csv::matches(competition),
    ]
}

/// The cells of a table, as a reader of RFC 4180 finds them.
fn cells(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut line, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => cell.push(characters.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {
                assert_eq!(characters.next(), Some('\n'));
                line.push(std::mem::take(&mut cell));
                lines.push(std::mem::take(&mut line));
            }
            _ => cell.push(character),
        }
    }
    assert!(line.is_empty() && cell.is_empty() && !quoted, "{text}");
    lines
}

/// Returns whether a number was read as it is. It is written to the last digit; `serde_json` reads it to the last but one.
fn is_as(told: &Value, number: Option<f64>) -> bool {
    match (told.as_f64(), number) {
        (Some(told), Some(number)) => (told - number).abs() <= 2.0 * f64::EPSILON * number.abs(),
        (told, number) => told.is_none() && number.is_none_or(f64::is_infinite),
    }
}

/// Two who have these names meet twice.
fn meeting(settings: &CompetitionSettings, names: [&str; 2]) -> Competition {
    let mut log = vec![CompetitionEvent::Created(Box::new(settings.clone()))];
    for (number, name) in (1..).zip(names) {
        let name = name.to_owned();
        log.push(CompetitionEvent::Enrolled { entrant: entrant(number), name, rating: None });
    }
    log.push(CompetitionEvent::Started);
    let mut driver = Driver::start(settings, 2, 1, Trouble::NONE);
    driver.competition = Competition::replay(&log).unwrap();
    driver.play_by(better_wins).competition
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// At any moment of any competition: tables are square, lines are JSON, and all is the same twice.
    #[test]
    fn exports_are_well_formed(settings in any_settings(), entrants in 2_u16..=7, seed: u64, steps in 0_usize..150) {
        let mut driver = Driver::start(&settings, entrants, seed, Trouble::MUCH);
        for _ in 0..steps {
            driver.step();
        }
        let competition = &driver.competition;
        prop_assert_eq!(all(competition), all(competition));
        let document: Value = serde_json::from_str(&json::document(competition)).unwrap();
        let standings = competition.standings();
        let rows = document["standings"].as_array().unwrap();
        prop_assert_eq!(rows.len(), standings.rows.len());
        for (told, row) in rows.iter().zip(&standings.rows) {
            prop_assert_eq!(&told["name"], row.name.as_str());
            prop_assert_eq!(told["rank"].as_u64(), row.rank.map(u64::from));
            prop_assert_eq!(told["points"].as_f64().unwrap() * 2.0, f64::from(row.points.halves()));
            prop_assert!(is_as(&told["score"]["low"], row.score.map(|score| score.low)));
            prop_assert!(is_as(&told["rating"]["value"], row.rating.map(|rating| rating.rating.value)));
        }
        let told: CompetitionSettings = serde_json::from_value(document["settings"].clone()).unwrap();
        prop_assert_eq!(&told, &settings);
        let lines = json::match_lines(competition);
        prop_assert_eq!(lines.lines().count(), competition.matches().count());
        for (line, (slot, played)) in lines.lines().zip(competition.matches()) {
            let line: Value = serde_json::from_str(line).unwrap();
            prop_assert_eq!(line["match"].as_str().unwrap(), slot.to_string());
            prop_assert_eq!(&line["evidence"], played.evidence.as_str());
            let verdict = line["verdict"].as_str().map(|verdict| verdict.parse::<Verdict>().unwrap());
            prop_assert_eq!(verdict, played.verdict);
        }
        for table in [csv::standings(competition), csv::cross_table(competition), csv::matches(competition)] {
            let cells = cells(&table);
            prop_assert!(cells.iter().all(|line| line.len() == cells[0].len()));
        }
        prop_assert_eq!(cells(&csv::standings(competition)).len(), standings.rows.len() + 1);
        let page = html::page(competition);
        // Every tag that is opened is closed.
        for tag in [
            "table", "tr", "th", "td", "div", "main", "thead", "tbody", "caption", "figure", "figcaption", "svg", "text", "polyline",
            "title", "p", "span",
        ] {
            let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            prop_assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{}", tag);
        }
    }

    /// A name of whatever characters is read back as it was, and is no markup.
    #[test]
    fn names_are_data(one in "[ -~]{1,30}", other in "[<>&\"'=+@,;é界-]{1,12}") {
        prop_assume!(one != other);
        let competition = meeting(&settings(Format::RoundRobin { cycles: 1 }), [&one, &other]);
        let page = html::page(&competition);
        let plain = meeting(&settings(Format::RoundRobin { cycles: 1 }), ["a", "b"]);
        let tags = |page: &str| page.matches(['<', '>', '"', '\'']).count();
        prop_assert_eq!(tags(&page), tags(&html::page(&plain)));
        let document: Value = serde_json::from_str(&json::document(&competition)).unwrap();
        prop_assert_eq!(&document["standings"][1]["name"], other.as_str());
        let told = cells(&csv::standings(&competition))[2][2].clone();
        prop_assert_eq!(told.trim_start_matches('\''), other.trim_start_matches('\''));
        prop_assert!(!told.starts_with(['=', '+', '-', '@']));
    }
}

#[test]
fn a_page_runs_nothing_and_loads_nothing() {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.name = "<script>alert(1)</script>".to_owned();
    let page = html::page(&meeting(&settings, ["<img src=x onerror=alert(1)>", "\" onclick=\"alert(1)"]));
    for word in ["<script", "<img", "http:", "https:", "src=\"", "<link", "<a ", "url("] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(!page.contains("\" onclick=\""));
}

#[test]
fn the_tables_of_two() {
    let mut settings = settings(Format::RoundRobin { cycles: 1 });
    settings.encounter.length = length(2);
    settings.encounter.mirrored = true;
    settings.tie_breaks = vec![TieBreak::Wins];
    settings.ratings = Some(RatingSystem::Glicko2);
    let competition = meeting(&settings, ["=1+1", "ben, the \"second\""]);
    let standings = csv::standings(&competition);
    let mut lines = standings.split("\r\n");
    assert_eq!(
        lines.next().unwrap(),
        "rank,entrant,name,status,points,wins,draws,losses,forfeits,byes,by wins,score,score low,score high,rating,rating low,rating high,\
         rating results,rating provisional"
    );
    assert!(lines.next().unwrap().starts_with("1,#1,'=1+1,active,2,2,0,0,0,0,2,1,"));
    assert!(lines.next().unwrap().starts_with("2,#2,\"ben, the \"\"second\"\"\",active,0,0,0,2,0,0,0,0,"));
    assert_eq!(lines.next(), Some(""));
    let expected = "match,match id,first seat,second seat,verdict,evidence,replayed\r\n\
                    1.1.1,match 1,#1,#2,win #1,,false\r\n\
                    1.1.2,match 2,#2,#1,win #1,,false\r\n";
    assert_eq!(csv::matches(&competition), expected);
    let line = r##"{"version":1,"match":"1.1.1","match_id":"match 1","terms":{"game":"skirmish","scenario":"","options":{},"clock":null},"seats":[{"entrant":"#1","name":"=1+1","rating":null},{"entrant":"#2","name":"ben, the \"second\"","rating":null}],"verdict":"win #1","evidence":"","replayed":false}"##;
    assert_eq!(json::match_lines(&competition).lines().next(), Some(line));
    let page = html::page(&competition);
    assert!(page.contains("<p>skirmish, round robin of 1 cycle, finished in round 1.</p>"), "{page}");
    assert!(page.contains("<td class=\"n\" title=\"2 won, 0 drawn, 0 lost\">2</td>"), "{page}");
    assert!(page.contains("<th scope=\"row\">#2 ben, the &quot;second&quot;</th>"), "{page}");
}

/// A field of three, played to its end: the lower number wins.
fn played(format: Format) -> Competition {
    Driver::start(&settings(format), 3, 1, Trouble::NONE).play_by(better_wins).competition
}

/// A seat has the rating that its entrant had before the round, and the standings the one after the last.
#[test]
fn lines_have_the_ratings_from_before_the_match() {
    let mut rated = settings(Format::RoundRobin { cycles: 1 });
    rated.ratings = Some(RatingSystem::WengLin);
    let once = Driver::start(&rated, 2, 1, Trouble::NONE).play_by(better_wins).competition;
    rated.format = Format::RoundRobin { cycles: 2 };
    let twice = Driver::start(&rated, 2, 1, Trouble::NONE).play_by(better_wins).competition;
    let after_one = once.standings().row(entrant(1)).unwrap().rating.unwrap();
    let lines: Vec<Value> =
        json::match_lines(&twice).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rating = |line: &Value, name: &str| {
        let seat = line["seats"].as_array().unwrap().iter().find(|seat| seat["entrant"] == name).unwrap();
        seat["rating"].clone()
    };
    assert_eq!(lines.len(), 2);
    assert!(rating(&lines[0], "#1").is_null());
    assert!(is_as(&rating(&lines[1], "#1")["value"], Some(after_one.rating.value)));
    assert_eq!(rating(&lines[1], "#1")["results"], 1);
    assert_eq!(lines[1]["terms"]["game"], "skirmish");
}

#[test]
fn plots_show_scores_and_the_course() {
    let mut rated = settings(Format::RoundRobin { cycles: 1 });
    rated.ratings = Some(RatingSystem::Glicko2);
    let page = html::page(&Driver::start(&rated, 3, 1, Trouble::NONE).play_by(better_wins).competition);
    for caption in [
        "Mean score of a match, with 95 % intervals",
        "Ratings, with 95 % intervals",
        "Points after each round",
    ] {
        assert!(page.contains(&format!("<figcaption>{caption}</figcaption>")), "{caption}");
    }
    // Each entrant has a dot in both plots of estimates, and a line in the course with its last value.
    assert_eq!(page.matches("<circle").count(), 6);
    assert_eq!(page.matches("<polyline").count(), 3);
    let line = page.lines().find(|line| line.contains("<title>#1 ") && line.contains("</polyline>")).unwrap();
    assert!(line.contains(": 2.0</title>"), "{line}");
    // Round 1 is to the left, round 3 to the right, and who has more points is higher up.
    let heights = |line: &str| -> Vec<f64> {
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        points.split(' ').map(|point| point.split(',').nth(1).unwrap().parse().unwrap()).collect()
    };
    let heights = heights(line);
    assert_eq!(heights.len(), 3);
    assert!(heights[2] < heights[0] && heights.is_sorted_by(|one, other| one >= other), "{heights:?}");
}

#[test]
fn a_ladder_is_plotted_by_place_and_a_knockout_by_scores_alone() {
    let ladder = html::page(&played(Format::Ladder { rounds: 4, order: LadderOrder::Swap }));
    assert!(ladder.contains("<figcaption>Place after each round</figcaption>"));
    let knockout = html::page(&played(KNOCKOUT));
    assert!(!knockout.contains("after each round") && knockout.contains("Mean score of a match"));
}

#[test]
fn nothing_is_plotted_before_there_is_something() {
    let competition =
        Driver::start(&settings(Format::RoundRobin { cycles: 1 }), 3, 1, Trouble::NONE).competition;
    assert!(!html::page(&competition).contains("<svg"));
}
