//! `CatalogService`, asked over a connection.

use edgehill_convert::messages;
use edgehill_engine::catalogue::{CodeDef, ValueName};
use edgehill_engine::content::Confidence;
use edgehill_engine::signing::{SigningKey, VerifyingKey};
use edgehill_proto::v1;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;
use edgehill_proto::v1::catalog_service_server::CatalogServiceServer;
use edgehill_service::api::catalog::Catalog;
use edgehill_service::limits::Limits;
use edgehill_service::wire::{reference, status};
use tokio::sync::oneshot;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::{Channel, Endpoint, Server};

use crate::registry;

fn request(game: &str, include_rules: bool) -> v1::GetGameRequest {
    v1::GetGameRequest { game: game.to_owned(), include_rules, content_hash: Vec::new() }
}

fn page_of(game: &str, page_size: i32, page_token: &str) -> v1::ListActionDefsRequest {
    let (game, page_token) = (game.to_owned(), page_token.to_owned());
    v1::ListActionDefsRequest { game, page_size, page_token, content_hash: Vec::new() }
}

fn catalog() -> Catalog {
    Catalog::new(&registry(), [], Limits::default().into(), signing_key(), &former_keys())
}

fn signing_key() -> VerifyingKey {
    SigningKey::from_bytes(&[1; 32]).verifying_key()
}

fn former_keys() -> [(VerifyingKey, u64); 1] {
    [(SigningKey::from_bytes(&[2; 32]).verifying_key(), 1_001)]
}

/// Runs `asks` against a server on a free port of loopback.
async fn served<F: Future<Output = ()>>(asks: impl FnOnce(CatalogServiceClient<Channel>) -> F) {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = Server::builder().add_service(CatalogServiceServer::new(catalog()));
    let running =
        tokio::spawn(server.serve_with_incoming_shutdown(TcpListenerStream::new(listener), async {
            let _ = stopped.await;
        }));
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}")).expect("an address");
    asks(CatalogServiceClient::new(endpoint.connect().await.expect("a server"))).await;
    stop.send(()).expect("it runs");
    running.await.expect("no panic").expect("a clean end");
}

#[tokio::test]
async fn every_game_is_listed_and_given_whole() {
    served(|mut client| async move {
        let listed =
            client.list_games(v1::ListGamesRequest::default()).await.expect("an answer").into_inner().games;
        let registry = registry();
        let ids: Vec<&str> = listed.iter().map(|game| &*game.id).collect();
        assert_eq!(ids, registry.ids());
        for (summary, game) in listed.iter().zip(registry.games()) {
            let answer = client.get_game(request(&summary.id, true)).await.expect("it fits into a message");
            let whole = answer.into_inner().game.expect("a game");
            assert_eq!(whole.summary.as_ref(), Some(summary));
            let table = client.list_action_defs(page_of(&summary.id, 0, "")).await;
            let table = table.expect("it fits into a message").into_inner();
            assert_eq!(table.next_page_token, "", "a table fits into one page");
            says_what_the_engine_says(&whole, &table.action_defs, &**game);
        }
        let limits = client.get_limits(v1::GetLimitsRequest {}).await.expect("an answer").into_inner();
        assert_eq!(limits.limits, Limits::default().all());
        let key = client.get_signing_key(v1::GetSigningKeyRequest {}).await.expect("an answer").into_inner();
        assert_eq!(key.signing_key, signing_key().as_bytes());
        let [(former, _)] = former_keys();
        let replace_time = Some(edgehill_proto::prost_types::Timestamp { seconds: 1, nanos: 1_000_000 });
        let former = v1::FormerSigningKey { signing_key: former.as_bytes().to_vec(), replace_time };
        assert_eq!(key.former_signing_keys, [former]);
    })
    .await;
}

fn says_what_the_engine_says(
    whole: &v1::Game,
    table: &[v1::ActionDef],
    game: &dyn edgehill_engine::registry::AnyGame,
) {
    let catalogue = game.catalogue();
    let summary = whole.summary.as_ref().expect("it is always there");
    assert_eq!((&*summary.title, &*summary.summary), (catalogue.title, catalogue.summary));
    assert_eq!(summary.rules, Some(messages::rules_version::of(catalogue)));
    let seats = catalogue.scenarios.iter().map(|scenario| scenario.seats as u32);
    assert_eq!((Some(summary.seats_min), Some(summary.seats_max)), (seats.clone().min(), seats.max()));

    assert_eq!(
        (whole.action_count as usize, table.len()),
        (catalogue.actions.len(), catalogue.actions.len())
    );
    for (id, action) in catalogue.actions.ids().zip(table) {
        assert_eq!(action.id, u32::from(id.0));
        let verb = &whole.verbs[action.verb as usize];
        let refs: Vec<_> =
            action.refs.iter().map(|what| reference::read(what).expect("it names something")).collect();
        assert_eq!(catalogue.actions.find(&verb.id, &refs), Some(id));
        assert_eq!(catalogue.actions.parse(&action.notation), Some(id));
        assert_eq!(verb.title, catalogue.actions.verb_of(id).expect("it is there").title);
    }

    assert_eq!(whole.rules.len(), catalogue.ledger.iter().count());
    for rule in &whole.rules {
        let entry = catalogue.ledger.get(&rule.id).expect("the ledger has it");
        assert_eq!(
            (&rule.title, &rule.text, rule.ground.len()),
            (&entry.title, &entry.text, entry.ground.len())
        );
        assert_ne!(rule.status(), v1::RuleStatus::Unspecified);
        assert_eq!(rule.reason, entry.reason.clone().unwrap_or_default());
    }

    for (index, space) in catalogue.spaces.iter().enumerate() {
        let said = &whole.spaces[index];
        let entry = said.entry.as_ref().expect("a space has a name");
        assert_eq!(
            (&entry.id, &entry.name, said.x, said.y),
            (&space.entry.id, &space.entry.name, space.x, space.y)
        );
        let to: Vec<(u32, &str)> = said.adjacencies.iter().map(|one| (one.to, &*one.kind)).collect();
        let expected = space.adjacencies.iter().map(|one| (u32::from(one.to), one.kind));
        assert_eq!(to, expected.collect::<Vec<_>>());
        assert_eq!(said.within, space.within.map(u32::from));
        let [kinds, boards] = [whole.space_kinds.len(), whole.boards.len()];
        assert!((said.kind as usize) < kinds && (said.board as usize) < boards);
    }
    let sizes = [
        (whole.spaces.len(), catalogue.spaces.len()),
        (whole.mats.len(), catalogue.mats.len()),
        (whole.tracks.len(), catalogue.tracks.len()),
        (whole.piles.len(), catalogue.piles.len()),
        (whole.kinds.len(), catalogue.kinds.len()),
        (whole.pieces.len(), catalogue.pieces.len()),
        (whole.cards.len(), catalogue.cards.len()),
        (whole.markers.len(), catalogue.markers.len()),
        (whole.arrows.len(), catalogue.arrows.len()),
        (whole.flags.len(), catalogue.flags.len()),
        (whole.seats.len(), catalogue.seats.len()),
        (whole.scenarios.len(), catalogue.scenarios.len()),
        (whole.options.len(), catalogue.options.len()),
        (whole.phase_ends.len(), catalogue.phase_ends.len()),
        (whole.house_bots.len(), game.bots().len()),
    ];
    assert!(sizes.iter().all(|(said, held)| said == held), "{sizes:?}");
    assert!(whole.house_bots.iter().any(|bot| bot.name == "random"));

    for (code, template) in &catalogue.phrases {
        assert!(whole.phrases.iter().any(|phrase| phrase.code == *code && phrase.template == *template));
    }
    for code in ["prompt", "undo", "committed", "draw_offered", "resigned", "agreed"] {
        assert_eq!(
            whole.phrases.iter().filter(|phrase| phrase.code == code).count(),
            1,
            "the driver says {code}"
        );
    }
}

#[test]
fn what_is_reconstructed_can_be_seen() {
    let mut reconstructed = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, false)).expect("it is there");
        let catalogue = game.catalogue();
        let held = catalogue.spaces.iter().map(|space| space.entry.confidence);
        let held = held.chain(catalogue.pieces.iter().chain(&catalogue.cards).map(|entry| entry.confidence));
        let said =
            whole.spaces.iter().map(|space| space.entry.as_ref().expect("a space has a name").confidence());
        let said = said.chain(whole.pieces.iter().chain(&whole.cards).map(v1::CatalogEntry::confidence));
        for (confidence, said) in held.zip(said) {
            let name = confidence.as_str().to_uppercase().replace('-', "_");
            assert_eq!(said.as_str_name(), format!("CONFIDENCE_{name}"));
            reconstructed += usize::from(confidence == Confidence::Reconstructed);
        }
    }
    assert!(reconstructed > 0, "some printed values were not at hand, and it is said which");
}

#[test]
fn cards_say_what_they_do() {
    let mut lines = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, false)).expect("it is there");
        for (said, card) in whole.cards.iter().zip(&game.catalogue().cards) {
            assert_eq!((&said.id, &said.rules_text), (&card.id, &card.rules_text));
            lines += card.rules_text.len();
        }
    }
    assert!(lines > 200, "{lines} lines of all cards");
}

#[test]
fn options_say_what_they_accept() {
    let war = catalog().game(&request("english-civil-war-iia", false)).expect("it is there");
    let [seasons, cut_all] = &war.options[..] else { panic!("{:?}", war.options) };
    let Some(v1::option_def::Accepts::Number(v1::NumberOption { min, max })) = seasons.accepts else {
        panic!("{seasons:?}")
    };
    let default: i32 = seasons.default_value.parse().expect("a number");
    assert!(min < max && (min..=max).contains(&default));
    assert_eq!(cut_all.accepts, Some(v1::option_def::Accepts::Flag(v1::FlagOption {})));
    assert_eq!(cut_all.default_value, "false");
}

#[test]
fn the_rules_ledger_comes_only_if_it_is_asked_for() {
    let game = |include_rules| catalog().game(&request("skirmish", include_rules)).expect("it is there");
    let (plain, whole) = (game(false), game(true));
    assert!(plain.rules.is_empty() && !whole.rules.is_empty());
    assert_eq!(v1::Game { rules: Vec::new(), ..whole }, plain);
}

#[test]
fn pages_of_games_make_the_list() {
    let catalog = catalog();
    let list = |page_size, page_token: &str| {
        let request = v1::ListGamesRequest { page_size, page_token: page_token.to_owned() };
        catalog.list(&request).expect("a page")
    };
    let whole = list(0, "");
    assert_eq!(whole, list(100, ""));
    assert!(whole.next_page_token.is_empty() && whole.games.len() > 1);
    let (mut games, mut page) = (Vec::new(), list(1, ""));
    loop {
        assert_eq!(page.games.len(), 1);
        games.extend(page.games);
        if page.next_page_token.is_empty() {
            break;
        }
        page = list(1, &page.next_page_token);
    }
    assert_eq!(games, whole.games);
}

#[test]
fn pages_of_the_action_table_make_the_whole() {
    let catalog = catalog();
    let list = |page_size, page_token: &str| {
        catalog.action_defs(&page_of("skirmish", page_size, page_token)).expect("a page")
    };
    let whole = list(0, "");
    assert_eq!(whole, list(4_096, ""));
    assert!(whole.next_page_token.is_empty());
    for size in [1, 10, whole.action_defs.len() as i32 - 1, whole.action_defs.len() as i32] {
        let (mut defs, mut page) = (Vec::new(), list(size, ""));
        loop {
            assert!((1..=size as usize).contains(&page.action_defs.len()));
            defs.extend(page.action_defs);
            if page.next_page_token.is_empty() {
                break;
            }
            page = list(size, &page.next_page_token);
        }
        assert_eq!(defs, whole.action_defs, "{size} a page");
    }
}

/// That `refused` has this reason, and this field at fault.
fn assert_refused<T: std::fmt::Debug>(
    refused: Result<T, tonic::Status>,
    code: Code,
    reason: &str,
    field: Option<&str>,
) {
    let refused = refused.expect_err("it is refused");
    assert_eq!(refused.code(), code);
    let refusal = status::read(&refused).expect("the refusal comes along");
    assert_eq!(refusal.reason().as_str_name().trim_start_matches("ERROR_REASON_"), reason);
    assert_eq!(refusal.field_violations.first().map(|one| &*one.field), field);
}

#[tokio::test]
async fn a_game_that_is_not_there_is_refused_with_those_that_are() {
    served(|mut client| async move {
        for game in ["chess", ""] {
            let refused = client.get_game(request(game, true)).await;
            assert_refused(refused, Code::NotFound, "UNKNOWN_GAME", None);
            let refused = client.list_action_defs(page_of(game, 0, "")).await;
            assert_refused(refused, Code::NotFound, "UNKNOWN_GAME", None);
        }
        let refused = client.get_game(request("chess", false)).await.expect_err("it is refused");
        assert!(refused.message().contains("skirmish"), "{}", refused.message());
    })
    .await;
}

#[tokio::test]
async fn a_page_that_no_answer_named_is_refused_at_its_field() {
    served(|mut client| async move {
        let total = registry().game("skirmish").expect("it is there").catalogue().actions.len();
        let games = registry().games().len();
        let bad = Code::InvalidArgument;
        for size in [-1, 101, i32::MIN, i32::MAX] {
            let list = v1::ListGamesRequest { page_size: size, ..v1::ListGamesRequest::default() };
            assert_refused(client.list_games(list).await, bad, "INVALID_FIELD", Some("page_size"));
        }
        for size in [-1, 4_097, i32::MIN, i32::MAX] {
            let refused = client.list_action_defs(page_of("skirmish", size, "")).await;
            assert_refused(refused, bad, "INVALID_FIELD", Some("page_size"));
        }
        let past = [games.to_string(), total.to_string()];
        for token in ["next", "-1", "+1", "01", " 1", "99999999999999999999", "1.0", &past[1]] {
            let list = v1::ListGamesRequest { page_size: 1, page_token: token.to_owned() };
            assert_refused(client.list_games(list).await, bad, "INVALID_FIELD", Some("page_token"));
            let refused = client.list_action_defs(page_of("skirmish", 10, token)).await;
            assert_refused(refused, bad, "INVALID_FIELD", Some("page_token"));
        }
        let list = v1::ListGamesRequest { page_size: 1, page_token: past[0].clone() };
        assert_refused(client.list_games(list).await, bad, "INVALID_FIELD", Some("page_token"));
    })
    .await;
}

/// A number that stands for something: its name, and the thing.
fn named(values: &[v1::ValueName]) -> Vec<(i32, String)> {
    values.iter().map(|value| (value.number, value.name.clone())).collect()
}

#[test]
fn codes_and_numbers_have_names() {
    let held = |values: &[ValueName]| -> Vec<(i32, String)> {
        values.iter().map(|value| (value.number, value.name.clone())).collect()
    };
    let held_codes =
        |codes: &[CodeDef]| codes.iter().map(|code| [code.id, code.name].map(str::to_owned)).collect();
    let codes = |codes: &[v1::CodeDef]| -> Vec<[String; 2]> {
        codes.iter().map(|code| [code.id.clone(), code.name.clone()]).collect()
    };
    let mut numbers = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, false)).expect("it is there");
        let catalogue = game.catalogue();
        for (said, procedure) in whole.procedures.iter().zip(&catalogue.procedures) {
            let expected = (procedure.name, procedure.label, procedure.counts);
            assert_eq!((&*said.name, &*said.label, &*said.counts), expected);
            assert_eq!(named(&said.stages), held(&procedure.stages));
            numbers += said.stages.len();
        }
        for (said, role) in whole.roles.iter().zip(&catalogue.roles) {
            assert_eq!((&*said.name, &*said.label, said.bits), (role.name, role.label, role.bits));
            assert_eq!(named(&said.values), held(&role.values));
            numbers += said.values.len();
        }
        for (said, def) in whole.attributes.iter().zip(&catalogue.attributes) {
            assert_eq!(named(&said.values), held(&def.values));
            numbers += said.values.len();
        }
        let sizes = [
            (whole.procedures.len(), catalogue.procedures.len()),
            (whole.roles.len(), catalogue.roles.len()),
            (whole.attributes.len(), catalogue.attributes.len()),
        ];
        assert!(sizes.iter().all(|(said, held)| said == held), "{sizes:?}");
        let expected: Vec<[String; 2]> = held_codes(&catalogue.arrow_results);
        assert_eq!(codes(&whole.arrow_results), expected);
        let expected: Vec<[String; 2]> = held_codes(&catalogue.adjacency_kinds);
        assert_eq!(codes(&whole.adjacency_kinds), expected);
        let expected: Vec<[String; 2]> = held_codes(&catalogue.grades);
        assert_eq!(codes(&whole.grades), expected);
    }
    assert!(numbers > 100, "{numbers} names of numbers of all games");
}

#[test]
fn hints_for_drawing_are_served() {
    let mut shared = 0;
    for game in registry().games() {
        let whole = catalog().game(&request(game.catalogue().id, false)).expect("it is there");
        let catalogue = game.catalogue();
        let labels = catalogue.markers.iter().map(|marker| &marker.short_label);
        assert!(whole.markers.iter().map(|marker| &marker.short_label).eq(labels));
        let labels = catalogue.kinds.iter().map(|kind| &kind.short_label);
        assert!(whole.kinds.iter().map(|kind| &kind.short_label).eq(labels));
        for (said, pile) in whole.piles.iter().zip(&catalogue.piles) {
            let (layout, facing) = (format!("{:?}", pile.layout), format!("{:?}", pile.facing));
            let expected = [format!("PILE_LAYOUT_{layout}"), format!("PILE_FACING_{facing}")]
                .map(|it| it.to_uppercase());
            assert_eq!([said.layout().as_str_name(), said.facing().as_str_name()], expected);
        }
        for (said, side) in whole.sides.iter().zip(&catalogue.sides) {
            let expected = (side.id, side.name, side.color, side.emblem);
            assert_eq!((&*said.id, &*said.name, &*said.color, &*said.emblem), expected);
        }
        assert_eq!(whole.sides.len(), catalogue.sides.len());
        for (said, track) in whole.tracks.iter().zip(&catalogue.tracks) {
            for (said, one) in said.boxes.iter().zip(&track.boxes) {
                let expected = one.same_as.map(|same| (u32::from(same.track), u32::from(same.index)));
                assert_eq!(said.same_as.map(|same| (same.track, same.index)), expected);
                shared += usize::from(expected.is_some());
            }
        }
    }
    assert!(shared > 0, "no box is shared");
}
