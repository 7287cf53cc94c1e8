package dev.fairlead.zfs.volume;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.Parents;
import java.util.Map;
import java.util.Optional;

/** Chooses the parent that a class asks for by a label, or the usual parent if it gives no label. */
public record ParentChoice(Parents parents) {
    /** The parameter of a StorageClass. */
    public static final String KEY = "parent";

    /** Returns the dataset below which a volume of these parameters lies. */
    public DatasetName of(Map<String, String> parameters) {
        String label = parameters.getOrDefault(KEY, "");
        return label.isEmpty()
                ? parents.usual()
                : labelled(label)
                        .orElseThrow(() -> new StorageException(new Failure.InvalidRequest(
                                "parameters",
                                KEY + ": " + Excerpt.of(label) + " is no parent dataset here (expected: "
                                        + allowed())));
    }

    private Optional<DatasetName> labelled(String label) {
        return Optional.ofNullable(parents.labelled().get(label));
    }

    private String allowed() {
        return parents.labelled().isEmpty()
                ? "none, since the connection's file has no fairlead.parents)"
                : "one of " + parents.labelled().keySet()
                        + ", as fairlead.parents of the connection's file has them, or none for the usual one)";
    }
}
