#!/usr/bin/env bash
# simulator-image.sh PROGRAM FOLDER: puts what an image of the simulator has into FOLDER, for Packaging/simulator/Containerfile: the
# program, the libraries that it needs (of a release, those of the C library), and the certificates of public authorities.
set -euo pipefail

program=$1 root=$2/root
mkdir -p "$root/etc/ssl/certs" "$root/tmp" "$2/apns"
chmod 1777 "$root/tmp"
install -m 0755 "$program" "$root/carillon-apns-simulator"
# A line of ldd names a library with its path, or the loader alone.
ldd "$program" | grep -o '/[^ ]*' | sort -u | while read -r library; do
    install -D -m 0755 "$library" "$root$library"
done
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
echo "$root: $(du -sm "$root" | cut -f1) MB in $(find "$root" -type f | wc -l) files"
