package dev.fairlead.lab.soak.audit;

import dev.fairlead.lab.LabCommand;
import dev.fairlead.lab.LabCommand.Ended;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells of each mkfs that ran on the nodes whether its device was blank, by {@code lab/formats}: what stood before mkfs
 * has read the device itself and noted it on the node's disk, so it does not forget what a killed driver had counted.
 *
 * @param table what it prints of each node
 * @param wrong what must not have been
 */
public record FormatAudit(List<String> table, List<String> wrong) {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String WRONG = "WRONG, ";

    public FormatAudit {
        table = List.copyOf(table);
        wrong = List.copyOf(wrong);
    }

    /**
     * Asks the nodes.
     *
     * @param since the moment before which each mkfs is of another run
     * @param atLeast how many must have been noted, or nobody has watched
     */
    public static FormatAudit of(Instant since, long atLeast) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("--since", Long.toString(since.getEpochSecond()), "--at-least", Long.toString(atLeast)));
        words.addAll(Machines.NODES);
        return of(new LabCommand("formats").end(LIMIT, "", words));
    }

    /** Reads what the command has said; one that failed for a reason that it does not name is wrong as a whole. */
    static FormatAudit of(Ended ended) {
        List<String> lines = ended.output().lines().toList();
        List<String> wrong = new ArrayList<>(lines.stream()
                .filter(it -> it.startsWith(WRONG))
                .map(it -> it.substring(WRONG.length()))
                .toList());
        if (wrong.isEmpty() && ended.code() != 0) {
            wrong.add("the nodes did not tell: " + ended);
        }
        return new FormatAudit(
                lines.stream().filter(it -> !it.startsWith(WRONG)).toList(), wrong);
    }
}
