package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.volume.NativeId;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells whether two requests for a group mean the same one, by digests that are kept with each snapshot of the group. A
 * repeated call finds its group, another call under the same name does not get somebody else's, and a group that has
 * lost a snapshot is noticed.
 *
 * @param members the digest of the volumes' ids
 * @param parameters the digest of the class's parameters without {@code csi.storage.k8s.io/*}, which only name objects
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

    /** Returns how a group differs from what is asked for; empty if it does not. */
    public Optional<String> difference(GroupShape asked) {
        if (!members.equals(asked.members)) {
            return Optional.of("it is of other volumes");
        }
        return parameters.equals(asked.parameters)
                ? Optional.empty()
                : Optional.of("it was taken with other parameters of the VolumeGroupSnapshotClass");
    }

    /** Says whether these are all the volumes of the group. */
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

    /** Appends a text with its length before it, so that different lists of texts never give the same form. */
    private static void append(StringBuilder form, String text) {
        form.append(text.length()).append(' ').append(text).append('\n');
    }
}
