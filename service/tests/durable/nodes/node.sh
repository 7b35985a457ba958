# The first process of a node: `bash node.sh FOLDER`. It does the commands that it reads, a line each, and says how each ended. It ends with
# its input, however that ends, and all that runs in the node ends with it.
#
# It is bash, which takes up processes that have lost their parent when they end: Patroni takes one that nobody took up for one that runs.
folder=$1

# Runs a program under a name, and again whenever it ends: `keep NAME PROGRAM ARGUMENT...`.
keep() {
    name=$1
    shift
    while :; do
        "$@" >>"$folder/$name.log" 2>&1 </dev/null &
        echo "$!" >"$folder/$name.pid"
        wait "$!"
        echo "$name $?" >>"$folder/ends"
        sleep 2
    done &
}

# Sends a signal to the program of a name: `signal NAME SIGNAL`.
signal() {
    kill -s "$2" "$(cat "$folder/$1.pid")"
}

echo "ready"
while IFS= read -r command; do
    eval "$command" </dev/null
    echo "done $?"
done
