#!/bin/sh
# Makes the root file system of the image in an empty folder: `rootfs.sh FOLDER DOCS BINARY...`.
#
# DOCS is the folder of the pages (`make docs`), which go to /usr/share/edgehill/docs. The binaries go to /usr/bin with the shared libraries that ldd names, and nothing else comes with them: no shell, no package
# manager. deploy/image/edgehill.toml is the configuration. Ownership is set where the caller is root.
set -eu

uid=65532 # also in Dockerfile, compose.yaml and the chart
if [ $# -lt 3 ]; then
    echo "usage: rootfs.sh FOLDER DOCS BINARY..." >&2
    exit 2
fi
here=$(dirname "$0")
root=$1
docs=$2
shift 2
if [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then
    echo "$root is not empty" >&2
    exit 1
fi

if [ ! -f "$docs/index.html" ]; then
    echo "$docs has no index.html" >&2
    exit 1
fi

# libraries BINARY: the files that the loader maps for it, the loader itself included; none for one that is linked statically.
libraries() {
    if ! named=$(ldd "$1" 2>&1); then
        case $named in
        *"not a dynamic executable"*) return ;;
        esac
        echo "$1: $named" >&2
        return 1
    fi
    case $named in
    *"not found"*)
        echo "$1: $named" >&2
        return 1
        ;;
    esac
    echo "$named" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }'
}

mkdir -p "$root/usr/bin" "$root/usr/share/edgehill/docs" "$root/etc/edgehill" "$root/var/lib/edgehill" "$root/tmp" "$root/run/secrets"
for binary; do
    install -m 755 "$binary" "$root/usr/bin/"
    needed=$(libraries "$binary")
    for library in $needed; do
        # Under the name by which the loader asks for it, whatever it links to.
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
done

cat >"$root/etc/passwd" <<END
root:x:0:0:root:/:/sbin/nologin
edgehill:x:$uid:$uid:edgehill:/var/lib/edgehill:/sbin/nologin
END
cat >"$root/etc/group" <<END
root:x:0:
edgehill:x:$uid:
END
# Without it the C library would ask DNS alone, and names in /etc/hosts would not be found.
echo "hosts: files dns" >"$root/etc/nsswitch.conf"
install -m 644 "$here/edgehill.toml" "$root/etc/edgehill/edgehill.toml"
cp -R "$docs/." "$root/usr/share/edgehill/docs/"
chmod -R u=rwX,go=rX "$root/usr/share/edgehill"

chmod 755 "$root"
chmod 1777 "$root/tmp"
chmod 700 "$root/var/lib/edgehill"
if [ "$(id -u)" = 0 ]; then
    chown "$uid:$uid" "$root/var/lib/edgehill"
fi
