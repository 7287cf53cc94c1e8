package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.FailedStep;
import dev.fairlead.adapter.zfs.cli.Steps.Part;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells how steps ended.
 *
 * @param failed the first step that failed, if one did
 * @param complaint the kind of its complaint
 * @param said the text of its complaint
 * @param standing the parents that were what they are known to be before the first step and after the last one
 */
public record StepsOutcome(
        Optional<FailedStep> failed, Complaint complaint, String said, String output, Set<DatasetName> standing) {
    static StepsOutcome success(String output) {
        return new StepsOutcome(Optional.empty(), Complaint.OTHER, "", output, Set.of());
    }

    static StepsOutcome failed(FailedStep step, String errors, String output) {
        return new StepsOutcome(Optional.of(step), Complaint.of(errors), errors.strip(), output, Set.of());
    }

    StepsOutcome withStanding(Set<DatasetName> parents) {
        return new StepsOutcome(failed, complaint, said, output, parents);
    }

    public boolean succeeded() {
        return failed.isEmpty();
    }

    /** Returns the last line of the complaint, which has the reason. */
    String lastWord() {
        return said.lines()
                .filter(line -> !line.isBlank())
                .reduce((_, next) -> next)
                .orElse("no reason was given");
    }

    /** Returns whether nothing was done, since the first step failed with this complaint. */
    public boolean failedFirst(Complaint with) {
        return failed.filter(FailedStep::isFirst).isPresent() && complaint == with;
    }

    /** Returns whether a step of this part failed. */
    public boolean failedIn(Part part) {
        return failed.filter(step -> step.isOf(part)).isPresent();
    }

    public boolean failedIn(Part part, Complaint with) {
        return failedIn(part) && complaint == with;
    }

    /**
     * Returns those of several datasets that the command reported missing, if that was its only complaint; its output
     * is then about the others. Empty if it failed for another reason.
     */
    public Set<DatasetName> missing(Collection<DatasetName> asked) {
        List<String> lines = said.lines().filter(line -> !line.isBlank()).toList();
        return lines.stream().anyMatch(StepsOutcome::isAnotherComplaint)
                ? Set.of()
                : asked.stream()
                        .filter(name -> lines.stream().anyMatch(line -> line.contains("'" + name + "'")))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns whether a line complains about something other than a missing dataset; what sudo and the shell say on
     * their own account does not count.
     */
    private static boolean isAnotherComplaint(String line) {
        return switch (Complaint.of(line)) {
            case DOES_NOT_EXIST -> false;
            case OTHER -> line.startsWith("cannot ") || line.startsWith("internal error");
            default -> true;
        };
    }
}
