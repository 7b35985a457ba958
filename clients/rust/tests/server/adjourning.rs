//! `edgehill adjourn`, `resume` and the acts of referees on adjournments.

use std::time::Duration;

use edgehill_client::v1::{ClockConfig, SeatUpdate};
use edgehill_client::{
    Client, JoinRequest, NewMatch, OpenOptions, PlayMessage, PlaySession, SeatHandle, prost_types,
    seat_config,
};

use crate::{TestServer, Workspace, has, with};

#[test]
fn a_match_is_put_off_and_goes_on() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let ok = |args: &[&str]| workspace.ok_on(&server, args);
    ok(&["new", "--game", "skirmish", "--clock", "bank=10m", "--out", "m.json"]);
    let nothing = workspace.on(&server, &["adjourn", "m.json", "north"]);
    assert_eq!(nothing.code, 2);
    has(&nothing.err, "nobody offers to adjourn the match");
    let long = workspace.on(&server, &["adjourn", "m.json", "north", "31d"]);
    assert_eq!(long.code, 2);
    has(&long.err, "adjourn_for");
    has(&ok(&["adjourn", "m.json", "north", "8h"]), "North offers to adjourn the match for at most 8h\n");
    let declined = ok(&["adjourn", "m.json", "south", "--decline"]);
    assert!(declined.starts_with("Running\nClocks: "), "{declined}");
    ok(&["adjourn", "m.json", "north", "8h"]);
    has(&ok(&["adjourn", "m.json", "south", "2h"]), ": no clock runs, and nobody is to act\n");
    has(&ok(&["show", "m.json"]), "Adjourned until ");
    has(&ok(&["legal", "m.json"]), "No legal actions: not to act now.");
    let refused = workspace.on(&server, &["apply", "m.json", "north", "done"]);
    assert_eq!(refused.code, 1);
    has(&refused.err, "ADJOURNED");
    has(&ok(&["resume", "m.json", "south"]), "South asks for it to go on\n");
    let resumed = ok(&["resume", "m.json", "north"]);
    assert!(resumed.starts_with("Running\nClocks: "), "{resumed}");
    let again = workspace.on(&server, &["resume", "m.json", "north"]);
    has(&again.err, "NOT_ADJOURNED");
    ok(&["resign", "m.json", "north"]);
    let listed = ok(&["matches"]);
    let id = listed.split_whitespace().find(|word| word.len() == 36).expect("an id");
    ok(&["export", id, "--out", "m.edg"]);
    let checked = ok(&["verify", "m.edg"]);
    has(
        &checked,
        "entries the seats adjourned the match for at most 7200000 milliseconds; it went on after ",
    );
    has(&checked, "nothing is wrong");
}

#[test]
fn a_person_in_the_terminal_puts_off_a_match_against_a_bot() {
    let (workspace, server) = (Workspace::new(), TestServer::start());
    let args = with(
        &server,
        &[
            "new",
            "--game",
            "skirmish",
            "--clock",
            "bank=10m",
            "--seat",
            "south=bot:random",
            "--out",
            "m.json",
        ],
    );
    workspace.ok(&args);
    let input = "adjourn soon\naccept-adjournment\nadjourn 2h\n1\nresume\n1\nquit\n";
    let answer = workspace.run_with(&with(&server, &["play", "--match", "m.json"]), input);
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    has(&answer.out, "NO_OFFER");
    has(&answer.out, "Adjourned until ");
    has(&answer.out, "ADJOURNED");
    has(&answer.out, "The match goes on\n");
    has(&answer.out, "You leave; the match is not over.\n");
}

async fn update(session: &mut PlaySession) -> SeatUpdate {
    loop {
        match session.next().await.expect("no error").expect("something is open").message {
            PlayMessage::Opened(_) => {}
            PlayMessage::Update { update, .. } => return *update,
            other => panic!("{other:?}"),
        }
    }
}

/// The crate tells a prompt of a stream that was opened again from a new one by the events between, of which there are none here.
#[tokio::test]
async fn a_session_is_prompted_anew_when_others_let_the_match_go_on() {
    let server = TestServer::start();
    let client = Client::connect(server.url()).await.expect("it is there");
    let clock = ClockConfig {
        bank: Some(prost_types::Duration { seconds: 600, nanos: 0 }),
        ..ClockConfig::default()
    };
    let new = NewMatch::of("skirmish").seats([seat_config::open(), seat_config::open()]).clock(clock);
    let id = client.matches().create(new).await.expect("made").config.match_id;
    let mut seats: Vec<SeatHandle> = Vec::new();
    for seat in 0..2 {
        seats.push(client.matches().join(JoinRequest::of(&id).seat(seat)).await.expect("taken").handle);
    }
    let mut session = client.play();
    session.open(seats[0].token(), OpenOptions::default());
    let first = update(&mut session).await;
    let prompt = first.legal_actions.expect("a prompt");
    seats[1].offer_adjournment(Duration::from_secs(3_600)).await.expect("it stands");
    assert!(update(&mut session).await.legal_actions.is_none());
    seats[0].accept_adjournment(Some(Duration::from_secs(60))).await.expect("it is adjourned");
    let adjourned = update(&mut session).await;
    assert!(adjourned.state.expect("a state").adjournment.is_some());
    seats[0].resume().await.expect("it is asked");
    assert!(update(&mut session).await.legal_actions.is_none());
    seats[1].resume().await.expect("it goes on");
    let resumed = update(&mut session).await;
    assert_eq!(resumed.state.expect("a state").adjournment, None);
    assert_eq!((resumed.legal_actions, resumed.seq), (Some(prompt), first.seq));
}
