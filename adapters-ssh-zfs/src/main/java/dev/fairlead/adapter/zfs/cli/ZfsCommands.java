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
 * Builds the argument lists of {@code zfs} that this adapter uses; see zfs(8) of OpenZFS 2.0 or later.
 *
 * @param program the words before the subcommand: the path of {@code zfs}, {@code sudo} before it if the file asks for
 *     that
 */
public record ZfsCommands(List<String> program) {
    /** The sources of properties that were set on a dataset itself; see {@link Property#isOwn}. */
    private static final String OWN = "local,received";

    public ZfsCommands {
        program = List.copyOf(program);
    }

    /** Prints rows for {@link Rows} about one dataset or snapshot. */
    public List<String> get(String target, Collection<String> properties) {
        return words("get", "-Hp", "-o", "name,property,value,source", String.join(",", properties), target);
    }

    /** Prints the same about several datasets; the rows of those that exist are printed even if one does not. */
    public List<String> getEach(Collection<DatasetName> targets, Collection<String> properties) {
        List<String> words = words("get", "-Hp", "-o", "name,property,value,source", String.join(",", properties));
        targets.forEach(target -> words.add(target.value()));
        return words;
    }

    /** Prints the bare value of one property. */
    public List<String> value(String target, String property) {
        return words("get", "-Hp", "-o", "value", property, target);
    }

    /** Prints the bare value of one property of several datasets, one line each in the order of their names. */
    public List<String> values(Collection<DatasetName> targets, String property) {
        List<String> words = words("get", "-Hp", "-o", "value", property);
        targets.forEach(target -> words.add(target.value()));
        return words;
    }

    /** Prints the values and sources of properties, one line each in the order given. */
    public List<String> valuesAndSources(String target, List<String> properties) {
        return words("get", "-Hp", "-o", "value,source", String.join(",", properties), target);
    }

    /** Prints the source of a property's value, in one line. */
    public List<String> source(String target, String property) {
        return words("get", "-Hp", "-o", "source", property, target);
    }

    /** Prints those of these properties that were set on a dataset itself, one line each. */
    public List<String> ownOf(String target, List<String> properties) {
        return words("get", "-Hp", "-s", OWN, "-o", "property,value", String.join(",", properties), target);
    }

    /**
     * Prints the values that were set for a property on datasets and on those below them, down to a depth, one line
     * each.
     */
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

    /**
     * Prints rows about datasets and those below them, down to a depth (0: only the datasets themselves), of these
     * types only.
     */
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

    /**
     * Creates a filesystem. {@code -p} is left out: with it the command would succeed for a dataset that exists,
     * without setting the properties.
     */
    public List<String> createFilesystem(DatasetName name, Map<String, String> properties) {
        return with(words("create"), properties, List.of(name.value()));
    }

    /** Creates a dataset that holds others, and all missing ones above it; succeeds if it exists. */
    public List<String> createParents(DatasetName name) {
        return words("create", "-p", name.value());
    }

    /** Creates a volume, which is sparse if the properties say {@code refreservation=0}. */
    public List<String> createVolume(DatasetName name, Capacity size, Map<String, String> properties) {
        return with(words("create"), properties, List.of("-V", Long.toString(size.bytes()), name.value()));
    }

    public List<String> cloneOf(SnapshotName source, DatasetName name, Map<String, String> properties) {
        return with(words("clone"), properties, List.of(source.toString(), name.value()));
    }

    /** Takes snapshots; several of one pool are taken at the same instant. */
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
     * Creates a dataset from a stream, whose snapshot gets this name. A stream that ends too early creates nothing.
     *
     * @param mounted whether a filesystem is mounted afterwards
     */
    public List<String> receive(SnapshotName snapshot, boolean mounted, Map<String, String> properties) {
        return with(mounted ? words("receive") : words("receive", "-u"), properties, List.of(snapshot.toString()));
    }

    /** Writes the rest of an interrupted stream, by the token that the receiver has. */
    public List<String> sendRest(String token) {
        return words("send", "-t", token);
    }

    /** Prints how much {@link #send} or {@link #sendRest} would write, for {@link StreamExtent} to read. */
    public List<String> measure(SnapshotName snapshot) {
        return words("send", "-nvP", snapshot.toString());
    }

    public List<String> measureRest(String token) {
        return words("send", "-nvP", "-t", token);
    }

    /**
     * Creates a dataset like {@link #receive}, but keeps what a stream that ends too early has brought, so that it can
     * be resumed.
     */
    public List<String> receiveResumable(SnapshotName snapshot, Map<String, String> properties) {
        return with(words("receive", "-s"), properties, List.of(snapshot.toString()));
    }

    /** Protects a snapshot from being destroyed as long as it has this tag. */
    public List<String> hold(String tag, SnapshotName snapshot) {
        return words("hold", tag, snapshot.toString());
    }

    /** Prints a row for each tag: the snapshot, the tag and the time since when. */
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

    /** Shows by its exit code whether the dataset or snapshot exists. */
    public List<String> exists(String target) {
        return words("list", "-H", "-o", "name", target);
    }

    /** Creates a dataset that holds others, with these properties if it is missing, and all missing ones above it. */
    public List<String> createHolder(DatasetName name, Map<String, String> properties) {
        return with(words("create", "-p"), properties, List.of(name.value()));
    }

    /** Removes a property from a dataset, so that it inherits its parent's. */
    public List<String> inherit(String target, String property) {
        return words("inherit", property, target);
    }

    /** Destroys this dataset only; ZFS refuses if it has snapshots or children. */
    public List<String> destroy(DatasetName name) {
        return words("destroy", "-f", name.value());
    }

    /** @param deferred whether ZFS destroys the snapshot later, once its last clone has gone */
    public List<String> destroy(SnapshotName name, boolean deferred) {
        return deferred ? words("destroy", "-d", name.toString()) : words("destroy", name.toString());
    }

    /** Destroys several snapshots of one dataset as far as possible, and prints which could not be destroyed. */
    public List<String> destroyAll(DatasetName dataset, Collection<SnapshotName> snapshots) {
        return words(
                "destroy",
                dataset + "@" + snapshots.stream().map(SnapshotName::name).collect(Collectors.joining(",")));
    }

    /** Renames a dataset within its pool; its snapshots and its role as the origin of clones stay with it. */
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
