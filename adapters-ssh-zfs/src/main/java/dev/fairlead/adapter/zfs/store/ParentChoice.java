package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Parents;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Optional;

/** The parent that a class asks for by a label; without one it is the usual parent. */
record ParentChoice(Parents parents) {
    /** The parameter of a StorageClass. */
    static final String KEY = "parent";

    /** Below which dataset a volume of these parameters lies. */
    DatasetName dataset(Map<String, String> parameters) {
        return label(parameters).flatMap(this::labelled).orElse(parents.usual());
    }

    /** The id of a volume of these parameters, which says where it lies. */
    NativeId id(NativeId plain, Map<String, String> parameters) {
        return label(parameters)
                .map(label -> new NativeId(label + Parents.END_OF_LABEL + plain))
                .orElse(plain);
    }

    private Optional<String> label(Map<String, String> parameters) {
        Optional<String> label = Optional.ofNullable(parameters.get(KEY)).filter(text -> !text.isEmpty());
        label.filter(it -> labelled(it).isEmpty()).ifPresent(it -> {
            throw new StorageException(new Failure.InvalidRequest(
                    "parameters", KEY + ": " + Excerpt.of(it) + " is no parent dataset here (expected: " + allowed()));
        });
        return label;
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
