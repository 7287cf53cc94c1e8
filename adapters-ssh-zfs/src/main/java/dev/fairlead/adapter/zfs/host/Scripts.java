package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.FailedStep;
import dev.fairlead.adapter.zfs.cli.Preface;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps as one script, which first checks that the parents above its targets are those that are known.
 *
 * @param shutsOut whether a dataset that is there is worked on though its parent has lost the mark, or has another guid
 *     and the dataset shows by its own properties that it is a volume; a parent with another mark is somebody else's
 */
record Scripts(
        CommandRunner runner, ZfsCommands zfs, ConnectionName connection, SeenParents parents, boolean shutsOut) {
    private static final Logger log = LoggerFactory.getLogger(Scripts.class);

    Scripts fencing() {
        return new Scripts(runner, zfs, connection, parents, true);
    }

    /** @param below the datasets whose parents are checked first */
    StepsOutcome play(Command command, String below, Steps steps, Work work) {
        SeenParents.Known known = parents.of(below);
        List<String> argv = steps.argv(known.preface(zfs, steps.succeedWithoutIt()));
        var whole = new Command(
                command.effect(), argv, command.input(), command.output(), command.deadline(), command.untilGone());
        CommandRunner.Ended ended = runner.run(whole, work);
        SeenParents.Told told = parents.learn(known, ended.errors());
        if (ended.signal().isEmpty() && Preface.ended(ended.exitCode())) {
            StorageException lost = lost(known, StepsOutcome.failed(FailedStep.FIRST, told.words(), ""), work);
            if (!shutsOut || (parents.areMarked() && !haveNoOtherMark(known, work))) {
                throw lost;
            }
            return allTheSame(command, steps, lost, work);
        }
        StepsOutcome outcome = outcome(whole, steps, ended, told.words()).withStanding(told.standing());
        if (reliesOnAbsence(steps, outcome) && !told.fallen().isEmpty()) {
            requirePools(told.fallen(), work);
            throw notNow(parents.difference(told.fallen()));
        }
        return outcome;
    }

    /**
     * Returns whether something was found missing, which may be so because its parent went, or was replaced, after the
     * look at it.
     */
    private static boolean reliesOnAbsence(Steps steps, StepsOutcome outcome) {
        return outcome.complaint() == Complaint.DOES_NOT_EXIST || (outcome.succeeded() && steps.succeedWithoutIt());
    }

    /**
     * Runs the steps although the parent has lost its mark, so that a node that may be dead is shut out of a dataset
     * that exists. Throws the given failure if the dataset does not exist, since that does not prove that it was
     * deleted.
     */
    private StepsOutcome allTheSame(Command command, Steps steps, StorageException lost, Work work) {
        Preface ours =
                parents.areMarked() ? Preface.NONE : ours(command.effect().target());
        var whole = new Command(
                command.effect(),
                steps.argv(ours),
                command.input(),
                command.output(),
                command.deadline(),
                command.untilGone());
        CommandRunner.Ended ended = runner.run(whole, work);
        if (ended.signal().isEmpty() && Preface.ended(ended.exitCode())) {
            throw lost;
        }
        StepsOutcome outcome = outcome(whole, steps, ended);
        if (outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            throw lost;
        }
        log.atWarn()
                .addKeyValue("connection", connection)
                .addKeyValue("target", command.effect().target())
                .log("nodes are shut out all the same: {}", lost.getMessage());
        return outcome;
    }

    /** Expects that the target is marked as a volume by itself, not by its parent. */
    private Preface ours(String target) {
        return Preface.NONE.expectingOneOf(
                zfs.valuesAndSources(target, List.of(PeerProperties.MANAGED)),
                Stream.of("local", "received")
                        .map(source -> List.of(PeerProperties.TRUE + "\t" + source))
                        .toList());
    }

    private StepsOutcome outcome(Command command, Steps steps, CommandRunner.Ended ended) {
        return outcome(command, steps, ended, ended.errors());
    }

    private StepsOutcome outcome(Command command, Steps steps, CommandRunner.Ended ended, String errors) {
        if (ended.succeeded()) {
            return StepsOutcome.success(ended.output());
        }
        Optional<FailedStep> failed = ended.signal().isPresent() ? Optional.empty() : steps.failed(ended.exitCode());
        if (failed.isEmpty()) {
            throw notNow(command.effect().kind() + " " + command.effect().target() + ": " + ended.trouble());
        }
        return StepsOutcome.failed(failed.get(), errors, ended.output());
    }

    /** Returns the failure for parents that are not those that are known, or that cannot be read. */
    private StorageException lost(SeenParents.Known known, StepsOutcome looked, Work work) {
        return switch (looked.complaint()) {
            case DOES_NOT_EXIST -> {
                requirePools(known.asExpected().keySet(), work);
                yield notNow(parents.difference(different(known, work)));
            }
            case OTHER -> notNow(parents.difference(different(known, work)));
            default -> failure("reading " + words(known.asExpected().keySet()), looked);
        };
    }

    /** Returns the parents that are not as expected now, or all of them if that cannot be told. */
    private Collection<DatasetName> different(SeenParents.Known known, Work work) {
        Collection<DatasetName> all = known.asExpected().keySet();
        if (all.size() == 1) {
            return all;
        }
        List<String> rows = rows(known, work);
        List<DatasetName> different = all.stream()
                .filter(name -> rows.stream()
                        .noneMatch(row -> row.startsWith(name + "\t" + known.property() + "\t"
                                + known.asExpected().get(name) + "\t")))
                .toList();
        return different.isEmpty() ? all : different;
    }

    private boolean haveNoOtherMark(SeenParents.Known known, Work work) {
        List<String> rows = rows(known, work);
        return known.asExpected().entrySet().stream().allMatch(parent -> {
            String row = parent.getKey() + "\t" + known.property() + "\t";
            return rows.stream()
                    .anyMatch(it -> it.startsWith(row + "-\t") || it.startsWith(row + parent.getValue() + "\t"));
        });
    }

    /** Returns the rows with the parents' present values of the property by which they are known. */
    private List<String> rows(SeenParents.Known known, Work work) {
        Collection<DatasetName> all = known.asExpected().keySet();
        Steps steps = new Steps().then(zfs.getEach(all, List.of(known.property())));
        Command command = Command.of(new Effect("zfs get", words(all)), steps.argv());
        return runner.run(command, work).output().lines().toList();
    }

    /**
     * @param found what found the target missing
     * @param makes whether a parent that was never seen may be missing
     */
    void requireAbsent(String target, StepsOutcome found, boolean makes, Work work) {
        List<DatasetName> above = parents.above(target);
        if (!above.isEmpty() && found.standing().containsAll(above)) {
            return;
        }
        DatasetName.of(target.split("[/@]", 2)[0]).ifPresent(pool -> requirePools(List.of(pool), work));
        above.stream()
                .filter(parent -> !makes && !found.standing().contains(parent))
                .findFirst()
                .ifPresent(parent -> {
                    throw notNow("whether " + target + " is gone cannot be told: the dataset " + parent
                            + " above it does not exist; bring it back, or make it anew by 'zfs create -p " + parent
                            + "' if all volumes are gone for good");
                });
    }

    /** Throws if the pool of one of these datasets is not imported, whatever is known of the parents in it. */
    void requirePools(Collection<DatasetName> missing, Work work) {
        SortedSet<DatasetName> pools = new TreeSet<>();
        missing.forEach(name -> pools.add(new DatasetName(name.pool())));
        if (pools.isEmpty()) {
            return;
        }
        Steps steps = new Steps().then(zfs.getEach(pools, List.of("type")));
        Command command = Command.of(new Effect("zfs get", words(pools)), steps.argv());
        CommandRunner.Ended ended = runner.run(command, work);
        StepsOutcome outcome = outcome(command, steps, ended);
        Set<DatasetName> away = outcome.missing(pools);
        pools.stream().filter(away::contains).findFirst().ifPresent(pool -> {
            throw noPool(pool);
        });
        if (!outcome.succeeded()) {
            throw failure("reading " + words(pools), outcome);
        }
    }

    private static String words(Collection<DatasetName> names) {
        return names.stream().map(DatasetName::value).collect(Collectors.joining(" "));
    }

    /** Returns a step's failure in the terms of the domain; one that is not known to be final will be retried. */
    StorageException failure(String doing, StepsOutcome outcome) {
        String name = connection.value();
        String detail = doing + ": " + outcome.lastWord();
        return new StorageException(
                switch (outcome.complaint()) {
                    case OUT_OF_SPACE -> new Failure.OutOfSpace(name, detail);
                    case READ_ONLY -> new Failure.StorageReadOnly(name, detail);
                    case NOT_PERMITTED, NO_PROGRAM, BAD_PROPERTY, NAME_TOO_LONG, SMALLER_THAN_USED ->
                        new Failure.BackendRejected(name, detail);
                    default -> new Failure.BackendUnavailable(name, detail);
                });
    }

    StorageException noPool(DatasetName pool) {
        return notNow("there is no pool '" + pool + "'; import it, or correct the connection");
    }

    private StorageException notNow(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail));
    }
}
