#!/bin/sh
# Makes the image localhost/node-base of this machine's own Node, npm and C library, and busybox (Debian's busybox-static)
# as its shell: a base for our Dockerfile where no registry of images can be reached. And localhost/node-runtime, as distroless
# images are: Node in /nodejs/bin, its libraries, and no shell. Usage: base.sh <buildah and its options>
set -eu
container=$("$@" from scratch)
root=$("$@" mount "$container")
node=$(readlink -f "$(command -v node)")
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")

mkdir -p "$root/bin" "$root/etc/ssl/certs" "$root/tmp" "$root/root" "$root/proc" "$root/dev" "$root/sys" \
  "$root/usr/bin" "$root/usr/local/bin" "$root/usr/lib/node_modules"
chmod 1777 "$root/tmp"
cp "$node" "$root/usr/bin/node"
# All of the C library: what npm installs loads parts of it that Node does not.
for library in $(ldd "$node" | grep -o '/[^ ]*') $(dpkg -L libc6 | grep '\.so'); do
  [ -d "$library" ] && continue
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp -R "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
cp /bin/busybox "$root/bin/busybox"
chroot "$root" /bin/busybox --install -s /bin
ln -s /bin/env "$root/usr/bin/env"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
echo 'root:x:0:0::/root:/bin/sh' >"$root/etc/passwd"

"$@" config --env PATH=/usr/local/bin:/usr/bin:/bin --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
"$@" commit --quiet "$container" localhost/node-base >/dev/null
"$@" rm "$container" >/dev/null

container=$("$@" from scratch)
root=$("$@" mount "$container")
mkdir -p "$root/nodejs/bin" "$root/tmp" "$root/proc" "$root/dev" "$root/sys"
chmod 1777 "$root/tmp"
cp "$node" "$root/nodejs/bin/node"
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
"$@" config --env PATH=/usr/local/bin:/usr/bin:/bin "$container"
"$@" commit --quiet "$container" localhost/node-runtime >/dev/null
"$@" rm "$container" >/dev/null
