package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.ReturnCode;

/** Says what satellites say when they carry out a change. */
final class SatelliteWords {
    private final Cluster cluster;
    private final long done;

    /**
     * @param done what is done: {@link ReturnCode#CREATE}, {@link ReturnCode#MODIFY}, {@link ReturnCode#DELETE} or 0
     */
    SatelliteWords(Cluster cluster, long done) {
        this.cluster = cluster;
        this.done = done;
    }

    /** Says that a satellite looked at a replica again: it "resized" each volume that has a disk there. */
    void looked(Messages to, String definition, String node, String... references) {
        if (cluster.isDiskful(definition, node)) volumes(to, definition, node, "resized", 3, references);
        adjusted(to, definition, node, references);
    }

    void volumes(Messages to, String definition, String node, String verb, long outcome, String... references) {
        for (JsonObject volume : cluster.volumes(definition)) {
            String number = text(volume, "volume_number");
            String[] all = java.util.Arrays.copyOf(references, references.length + 4);
            all[references.length] = "RscDfn";
            all[references.length + 1] = definition;
            all[references.length + 2] = "VlmNr";
            all[references.length + 3] = number;
            to.add(
                    done | ReturnCode.VOLUME | outcome,
                    "(%s) Volume number %s of resource '%s' [FILE THIN] %s".formatted(node, number, definition, verb),
                    all);
        }
    }

    void adjusted(Messages to, String definition, String node, String... references) {
        if (!cluster.isDrbd(definition)) return;
        to.add(
                done | ReturnCode.RESOURCE | 3,
                "(%s) Resource '%s' [DRBD] adjusted.".formatted(node, definition),
                references);
    }

    void say(Messages to, long outcome, String message) {
        to.add(done | ReturnCode.RESOURCE | outcome, message);
    }
}
