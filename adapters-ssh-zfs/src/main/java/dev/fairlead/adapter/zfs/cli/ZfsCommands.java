package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The argument lists of {@code zfs} for what this adapter does; see zfs(8) of OpenZFS 2.0 or later.
 *
 * @param program the words before the subcommand: the path of {@code zfs}, {@code sudo} before it where asked for
 */
public record ZfsCommands(List<String> program) {
    /** Sources of properties that were given to a dataset itself; see {@link Property#isOwn}. */
    private static final String OWN = "local,received";

    public ZfsCommands {
        program = List.copyOf(program);
    }

    /** Rows for {@link Rows} of one dataset or snapshot. */
    public List<String> get(String target, Collection<String> properties) {
        return words("get", "-Hp", "-o", "name,property,value,source", String.join(",", properties), target);
    }

    /** The same of several; the rows of those that exist are printed also where one does not. */
    public List<String> getEach(Collection<DatasetName> targets, Collection<String> properties) {
        List<String> words = words("get", "-Hp", "-o", "name,property,value,source", String.join(",", properties));
        targets.forEach(target -> words.add(target.value()));
        return words;
    }

    /** The bare value of one property. */
    public List<String> value(String target, String property) {
        return words("get", "-Hp", "-o", "value", property, target);
    }

    /** The bare value of one property of several, a line each in the order of their names. */
    public List<String> values(Collection<DatasetName> targets, String property) {
        List<String> words = words("get", "-Hp", "-o", "value", property);
        targets.forEach(target -> words.add(target.value()));
        return words;
    }

    /** The values and sources of properties, a line each in their order. */
    public List<String> valuesAndSources(String target, List<String> properties) {
        return words("get", "-Hp", "-o", "value,source", String.join(",", properties), target);
    }

    /** Where a property's value is from, in a line. */
    public List<String> source(String target, String property) {
        return words("get", "-Hp", "-o", "source", property, target);
    }

    /** The properties of these that were given to a dataset itself, a line each. */
    public List<String> ownOf(String target, List<String> properties) {
        return words("get", "-Hp", "-s", OWN, "-o", "property,value", String.join(",", properties), target);
    }

    /** The values that a property was given on datasets, and on what lies below them, to a depth; a line each. */
    public List<String> ownBelow(
            Collection<DatasetName> tops, int depth, Collection<DatasetType> types, String property) {
        List<String> words = words(
                "get",
                "-Hp",
                "-s",
                OWN,
                "-d",
                Integer.toString(depth),
                "-t",
                String.join(",", types.stream().map(DatasetType::word).sorted().toList()),
                "-o",
                "value",
                property);
        tops.forEach(top -> words.add(top.value()));
        return words;
    }

    /** Rows of datasets and all below them, to a depth (0 is themselves alone), of these types only. */
    public List<String> getBelow(
            Collection<DatasetName> tops, int depth, Collection<DatasetType> types, Collection<String> properties) {
        List<String> words = words(
                "get",
                "-Hp",
                "-d",
                Integer.toString(depth),
                "-t",
                String.join(",", types.stream().map(DatasetType::word).sorted().toList()),
                "-o",
                "name,property,value,source",
                String.join(",", properties));
        tops.forEach(top -> words.add(top.value()));
        return words;
    }

    /** Without {@code -p}, with which a dataset that exists would be a success that has none of the properties. */
    public List<String> createFilesystem(DatasetName name, Map<String, String> properties) {
        return with(words("create"), properties, List.of(name.value()));
    }

    /** A dataset that holds others, and all above it that are missing; done where it exists. */
    public List<String> createParents(DatasetName name) {
        return words("create", "-p", name.value());
    }

    /** A sparse volume is one whose properties say {@code refreservation=0}. */
    public List<String> createVolume(DatasetName name, Capacity size, Map<String, String> properties) {
        return with(words("create"), properties, List.of("-V", Long.toString(size.bytes()), name.value()));
    }

    public List<String> cloneOf(SnapshotName source, DatasetName name, Map<String, String> properties) {
        return with(words("clone"), properties, List.of(source.toString(), name.value()));
    }

    /** Several snapshots of one pool are taken at one instant. */
    public List<String> snapshot(Collection<SnapshotName> names, Map<String, String> properties) {
        return with(
                words("snapshot"),
                properties,
                names.stream().map(SnapshotName::toString).toList());
    }

    public List<String> set(String target, Map<String, String> properties) {
        List<String> words = words("set");
        properties.forEach((key, value) -> words.add(key + "=" + value));
        words.add(target);
        return words;
    }

    /** Writes a snapshot as a stream, without its properties. */
    public List<String> send(SnapshotName snapshot) {
        return words("send", snapshot.toString());
    }

    /**
     * Makes a dataset of a stream, whose snapshot gets this name. A stream that ends too early makes nothing.
     *
     * @param mounted whether a filesystem is mounted then
     */
    public List<String> receive(SnapshotName snapshot, boolean mounted, Map<String, String> properties) {
        return with(mounted ? words("receive") : words("receive", "-u"), properties, List.of(snapshot.toString()));
    }

    /** Writes what is left of a stream that was cut, by the token that its other end has. */
    public List<String> sendRest(String token) {
        return words("send", "-t", token);
    }

    /** How much {@link #send} or {@link #sendRest} would write; {@link StreamExtent} reads it. */
    public List<String> measure(SnapshotName snapshot) {
        return words("send", "-nvP", snapshot.toString());
    }

    public List<String> measureRest(String token) {
        return words("send", "-nvP", "-t", token);
    }

    /** Like {@link #receive}, and what has come of a stream that ends too early is kept, to be taken up from there. */
    public List<String> receiveResumable(SnapshotName snapshot, Map<String, String> properties) {
        return with(words("receive", "-s"), properties, List.of(snapshot.toString()));
    }

    /** Keeps a snapshot from being destroyed for as long as it has this tag. */
    public List<String> hold(String tag, SnapshotName snapshot) {
        return words("hold", tag, snapshot.toString());
    }

    /** A row for each tag: the snapshot, the tag, since when. */
    public List<String> holds(SnapshotName snapshot) {
        return words("holds", "-H", snapshot.toString());
    }

    public List<String> release(String tag, SnapshotName snapshot) {
        return words("release", tag, snapshot.toString());
    }

    /** Mounts a filesystem. */
    public List<String> mount(DatasetName name) {
        return words("mount", name.value());
    }

    /** Whether it is there, by the exit code. */
    public List<String> exists(String target) {
        return words("list", "-H", "-o", "name", target);
    }

    /** A dataset that holds others, with these properties where it is missing; and all above it. */
    public List<String> createHolder(DatasetName name, Map<String, String> properties) {
        return with(words("create", "-p"), properties, List.of(name.value()));
    }

    /** Takes a property away from a dataset, so that it has its parent's. */
    public List<String> inherit(String target, String property) {
        return words("inherit", property, target);
    }

    /** Destroys a dataset and no other; one that has snapshots or children is refused by ZFS. */
    public List<String> destroy(DatasetName name) {
        return words("destroy", "-f", name.value());
    }

    /** @param deferred leaves it to ZFS to destroy it once its last clone has gone */
    public List<String> destroy(SnapshotName name, boolean deferred) {
        return deferred ? words("destroy", "-d", name.toString()) : words("destroy", name.toString());
    }

    /** Destroys several snapshots of one dataset, as far as that can be; what could not be is told. */
    public List<String> destroyAll(DatasetName dataset, Collection<SnapshotName> snapshots) {
        return words(
                "destroy",
                dataset + "@" + snapshots.stream().map(SnapshotName::name).collect(Collectors.joining(",")));
    }

    /** Gives a dataset another name in its pool; its snapshots, and what it is the origin of, go along. */
    public List<String> rename(DatasetName name, DatasetName to) {
        return words("rename", name.value(), to.value());
    }

    public List<String> promote(DatasetName name) {
        return words("promote", name.value());
    }

    private List<String> words(String... words) {
        List<String> all = new ArrayList<>(program);
        all.addAll(Arrays.asList(words));
        return all;
    }

    private static List<String> with(List<String> words, Map<String, String> properties, List<String> last) {
        properties.forEach((key, value) -> {
            words.add("-o");
            words.add(key + "=" + value);
        });
        words.addAll(last);
        return words;
    }
}
