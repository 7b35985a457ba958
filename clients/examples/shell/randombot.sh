#!/usr/bin/env bash
# A random bot, call by call: randombot.sh HOST:PORT GAME|all. It needs grpcurl and jq.
set -euo pipefail

if [[ $# != 2 ]]; then
    echo "usage: $0 HOST:PORT GAME|all" >&2
    exit 2
fi
server=$1

# call SERVICE/METHOD REQUEST [OPTION OF grpcurl]...
call() {
    grpcurl -plaintext -d "$2" "${@:3}" "$server" "edgehill.v1.$1"
}

# What makes request ids this bot's own, and a request id that it has not used.
secret=$(head -c 32 /dev/urandom | base64)
unique() {
    head -c 16 /dev/urandom | base64
}

# Makes a match, takes its first seat, and plays it to the end; the house bot `random` has the other seats.
play() {
    local game=$1 seats match token state reply action sent=0
    seats=$(call CatalogService/GetGame "{\"game\": \"$game\"}" | jq -c '.game.scenarios[0].seats as $seats |
        [{kind: "SEAT_KIND_OPEN"}, (range(1; $seats) | {kind: "SEAT_KIND_HOUSE_BOT", bot: "random"})]')
    local who="\"requestId\": \"$(unique)\", \"clientSecret\": \"$secret\""
    match=$(call MatchService/CreateMatch "{$who, \"game\": \"$game\", \"seats\": $seats}" | jq -r .match.config.matchId)
    token=$(call MatchService/JoinMatch "{$who, \"matchId\": \"$match\"}" | jq -r .seatToken)
    local seat=(-H "authorization: Bearer $token")
    while true; do
        state=$(call MatchService/GetMatch "{\"matchId\": \"$match\"}" | jq -c .match.state)
        [[ $(jq -r .status <<<"$state") == MATCH_STATUS_RUNNING ]] || break
        reply=$(call MatchService/ListLegalActions "{\"matchId\": \"$match\"}" "${seat[@]}")
        # Each answer has the next legal actions, for as long as the seat is to act.
        while true; do
            action=$(jq --argjson random $RANDOM '(.legalActions // .update.legalActions).ids // empty |
                .[$random % length]' <<<"$reply")
            [[ -n $action ]] || break
            sent=$((sent + 1))
            reply=$(call MatchService/ApplyActions "{\"matchId\": \"$match\", \"requestId\": \"$sent\",
                \"batch\": {\"actions\": {\"ids\": {\"values\": [$action]}}},
                \"responseOptions\": {\"legal\": \"LEGAL_DETAIL_IDS\"}}" "${seat[@]}")
        done
    done
    jq -r --arg game "$game" '"\($game): \(.result.code // .status), returns \(.result.returns)"' <<<"$state"
}

games=$2
if [[ $games == all ]]; then
    games=$(call CatalogService/ListGames '{}' | jq -r '.games[].id')
fi
for game in $games; do
    play "$game"
done
