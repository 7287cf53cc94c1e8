package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.volume.NativeId;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What makes two requests for a group the same one, as digests that are kept with each snapshot of it: a repeated call
 * finds its group, another one under the same name does not get somebody else's, and a group that has lost a snapshot
 * shows it.
 *
 * @param members of the volumes
 * @param parameters of the class, but for {@code csi.storage.k8s.io/*}, which names objects and shapes nothing
 */
public record GroupShape(String members, String parameters) {
    public static GroupShape of(GroupRequest request) {
        var form = new StringBuilder();
        new TreeMap<>(request.parameters()).forEach((key, value) -> {
            if (!key.startsWith("csi.storage.k8s.io/")) {
                append(form, key);
                append(form, value);
            }
        });
        return new GroupShape(digestOf(request.sources()), digest(form));
    }

    /** How a group differs from what is asked for; empty where it is the same. */
    public Optional<String> difference(GroupShape asked) {
        if (!members.equals(asked.members)) {
            return Optional.of("it is of other volumes");
        }
        return parameters.equals(asked.parameters)
                ? Optional.empty()
                : Optional.of("it was taken with other parameters of the VolumeGroupSnapshotClass");
    }

    /** Whether these are all the volumes of the group. */
    public boolean isOf(Collection<NativeId> sources) {
        return members.equals(digestOf(sources));
    }

    private static String digestOf(Collection<NativeId> sources) {
        var form = new StringBuilder();
        new TreeSet<>(sources).forEach(source -> append(form, source.value()));
        return digest(form);
    }

    private static String digest(StringBuilder form) {
        return HexFormat.of().formatHex(Digests.sha256(form.toString()));
    }

    /** With its length before it, no text can pass for two. */
    private static void append(StringBuilder form, String text) {
        form.append(text.length()).append(' ').append(text).append('\n');
    }
}
