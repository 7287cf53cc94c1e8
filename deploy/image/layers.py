"""Writes folders as image layers and layers as an archive: the same bytes for the same content."""
import hashlib
import io
import json
import os
import tarfile


def write_layer(folder, out, epoch):
    """Writes all below a folder, sorted by name, owned by root, with one time; answers the layer's digest."""
    with tarfile.open(out, "w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(_below(folder)):
            info = tar.gettarinfo(os.path.join(folder, path), path)
            if info is None:
                raise ValueError(f"{path} is neither a file nor a folder nor a link")
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime = epoch
            if info.isreg():
                with open(os.path.join(folder, path), "rb") as content:
                    tar.addfile(info, content)
            else:
                tar.addfile(info)
    with open(out, "rb") as content:
        return "sha256:" + hashlib.file_digest(content, "sha256").hexdigest()


def _below(folder):
    for root, folders, files in os.walk(folder):
        for name in folders + files:
            yield os.path.relpath(os.path.join(root, name), folder)


def write_archive(out, image, layers, name, epoch):
    """Writes what containerd, Docker, Podman and Skopeo read; layers are pairs of digest and file."""
    config = _json(image | {"rootfs": {"type": "layers", "diff_ids": [digest for digest, _ in layers]}})
    media = "application/vnd.oci.image."
    manifest = _json({
        "schemaVersion": 2,
        "mediaType": media + "manifest.v1+json",
        "config": _descriptor(media + "config.v1+json", config),
        "layers": [
            {"mediaType": media + "layer.v1.tar", "digest": digest, "size": os.path.getsize(path)}
            for digest, path in layers
        ],
    })
    entry = _descriptor(media + "manifest.v1+json", manifest)
    entry["platform"] = {"os": image["os"], "architecture": image["architecture"]}
    entry["annotations"] = {
        "io.containerd.image.name": name,
        "org.opencontainers.image.ref.name": name.rpartition(":")[2],
    }
    docker = [{"Config": _blob(_digest(config)), "RepoTags": [name], "Layers": [_blob(d) for d, _ in layers]}]
    small = {
        "oci-layout": _json({"imageLayoutVersion": "1.0.0"}),
        "index.json": _json({"schemaVersion": 2, "manifests": [entry]}),
        "manifest.json": _json(docker),
        _blob(_digest(config)): config,
        _blob(_digest(manifest)): manifest,
    }
    with tarfile.open(out, "w") as tar:
        for path, data in sorted(small.items()):
            _add(tar, path, len(data), epoch, io.BytesIO(data))
        for digest, file in sorted(set(layers)):
            with open(file, "rb") as content:
                _add(tar, _blob(digest), os.path.getsize(file), epoch, content)
    return _digest(manifest)


def _add(tar, path, size, epoch, content):
    info = tarfile.TarInfo(path)
    info.size, info.mtime, info.mode = size, epoch, 0o644
    tar.addfile(info, content)


def _json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _blob(digest):
    return "blobs/" + digest.replace(":", "/")


def _descriptor(media_type, data):
    return {"mediaType": media_type, "digest": _digest(data), "size": len(data)}
