package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.Property;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Runs {@code zfs} on the machine with the pool and interprets the outcome. */
public final class ZfsHost {
    /**
     * The room for a list's output, in bytes: a sixth of the memory that this process may have, which all connections
     * share; reading a list takes some four times its output. With the usual 256 MiB it is enough for some 16,000
     * volumes; a longer list is refused.
     */
    private static final int LARGEST_LIST =
            (int) Math.min(256 << 20, Runtime.getRuntime().maxMemory() / 6);

    /** The longest time for a list: enough for tens of thousands of volumes on a slow host. */
    private static final Duration LONGEST_LIST = Duration.ofMinutes(5);
    /** The longest time for a copy; ten terabytes at a hundred megabytes a second take 28 hours. */
    private static final Duration LONGEST_COPY = Duration.ofDays(2);

    private static final String AVAILABLE = "available";

    private final CommandRunner runner;
    private final ZfsCommands zfs;
    private final ConnectionName connection;
    private final CopyTurns copies;
    private final Scripts scripts;

    /** True if a parent may be missing because nothing was ever made there. */
    private final boolean makes;

    public ZfsHost(CommandRunner runner, ZfsCommands zfs, ConnectionScope scope, SeenParents parents) {
        this(
                runner,
                zfs,
                scope.name(),
                new CopyTurns(scope),
                new Scripts(runner, zfs, scope.name(), parents, false),
                false);
    }

    private ZfsHost(
            CommandRunner runner,
            ZfsCommands zfs,
            ConnectionName connection,
            CopyTurns copies,
            Scripts scripts,
            boolean makes) {
        this.runner = runner;
        this.zfs = zfs;
        this.connection = connection;
        this.copies = copies;
        this.scripts = scripts;
        this.makes = makes;
    }

    /** Returns the same host for making volumes: a parent that was never seen may be missing. */
    public ZfsHost making() {
        return new ZfsHost(runner, zfs, connection, copies, scripts, true);
    }

    /**
     * Returns the same host for shutting nodes out of a dataset that is there, though its parent is not known any more.
     */
    public ZfsHost fencing() {
        return new ZfsHost(runner, zfs, connection, copies, scripts.fencing(), makes);
    }

    public ZfsCommands zfs() {
        return zfs;
    }

    /** Runs steps as one effect. Throws if they fail otherwise than by a step. */
    public StepsOutcome run(String kind, String target, Steps steps, Work work) {
        return run(kind, target, steps, Command.USUAL_DEADLINE, work);
    }

    /** Runs steps that move data; throws a failure that will be retried if the most copies are under way. */
    public StepsOutcome copy(String volume, String target, Steps steps, Work work) {
        return copies.taking(volume, target, () -> run("zfs send", target, steps, LONGEST_COPY, work));
    }

    /** Runs steps of which the last writes a stream. */
    public StepsOutcome send(String target, Steps steps, OutputStream to, Work work) {
        return run(command("zfs send", target, steps).writing(new Command.Output.Bytes(to)), steps, work);
    }

    /** Runs steps of which the last reads a stream. */
    public StepsOutcome receive(String target, Steps steps, InputStream from, Work work) {
        return run(command("zfs receive", target, steps).reading(new Command.Input.Bytes(from)), steps, work);
    }

    private static Command command(String kind, String target, Steps steps) {
        return Command.of(new Effect(kind, target), steps.argv()).within(LONGEST_COPY);
    }

    private StepsOutcome run(String kind, String target, Steps steps, Duration deadline, Work work) {
        return run(listing(kind, target, steps).within(deadline), steps, work);
    }

    /** Runs steps without looking into what they find missing, which is left to the caller. */
    private StepsOutcome look(String kind, String target, Steps steps, Work work) {
        return play(listing(kind, target, steps), steps, work);
    }

    private static Command listing(String kind, String target, Steps steps) {
        return Command.of(new Effect(kind, target), steps.argv()).writing(new Command.Output.Text(LARGEST_LIST));
    }

    /**
     * Runs steps and, if the first finds something missing, throws if that may still exist, as in a pool that is not
     * imported.
     */
    private StepsOutcome run(Command command, Steps steps, Work work) {
        StepsOutcome outcome = play(command, steps, work);
        if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            requireAbsent(command.effect().target(), outcome, work);
        }
        return outcome;
    }

    private StepsOutcome play(Command command, Steps steps, Work work) {
        return scripts.play(command, command.effect().target(), steps, work);
    }

    /**
     * Throws if something that was found missing may still exist, because its pool or the parent above it is missing
     * too.
     */
    public void requireAbsent(String target, StepsOutcome found, Work work) {
        scripts.requireAbsent(target, found, makes, work);
    }

    /** Throws if the pool of a missing dataset is not imported, since the dataset may then still exist. */
    public void requirePools(Collection<DatasetName> missing, Work work) {
        scripts.requirePools(missing, work);
    }

    /** Runs another program than {@code zfs} over the same session; the caller judges how it ended. */
    public CommandRunner.Ended run(Command command, Work work) {
        return runner.run(command, work);
    }

    /** Returns the properties of one dataset or snapshot; empty if it does not exist. */
    public Optional<Map<String, Property>> get(String target, Collection<String> properties, Work work) {
        Steps steps = new Steps().then(zfs.get(target, properties));
        return found(run("zfs get", target, steps, work), target, properties);
    }

    private Optional<Map<String, Property>> found(StepsOutcome outcome, String target, Collection<String> properties) {
        if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            return Optional.empty();
        }
        Map<String, Property> found = rows(outcome, target, properties).get(target);
        if (found == null) {
            throw untrue("the properties of " + target + " were read without a complaint, and none came");
        }
        return Optional.of(found);
    }

    /** Returns the properties of those of several datasets that exist, with one command. */
    public SortedMap<String, Map<String, Property>> each(
            Collection<DatasetName> names, Collection<String> properties, Work work) {
        return each(names, names, properties, work);
    }

    /** @param known the datasets whose parents must be the known ones; the others' parents may be missing */
    public SortedMap<String, Map<String, Property>> each(
            Collection<DatasetName> names, Collection<DatasetName> known, Collection<String> properties, Work work) {
        Steps steps = new Steps().then(zfs.getEach(names, properties));
        Command command = listing("zfs get", words(names), steps);
        return present(scripts.play(command, words(known), steps, work), names, properties);
    }

    /**
     * Returns the properties of several datasets and those below them, down to a depth, with one command; missing ones
     * are left out.
     *
     * @param types the types to list, which must include those of the datasets themselves, so that a lost answer is
     *     noticed
     */
    public SortedMap<String, Map<String, Property>> below(
            Collection<DatasetName> tops,
            int depth,
            Collection<DatasetType> types,
            Collection<String> properties,
            Work work) {
        if (tops.size() == 1) {
            return below(tops.iterator().next(), depth, types, properties, work);
        }
        String target = words(tops);
        Steps steps = new Steps().then(zfs.getBelow(tops, depth, types, properties));
        StepsOutcome outcome = play(listing("zfs list", target, steps).within(LONGEST_LIST), steps, work);
        SortedMap<String, Map<String, Property>> found = present(outcome, tops, properties);
        requirePools(outcome.missing(tops), work);
        return found;
    }

    /**
     * Returns what a command printed, which may have found some of the datasets missing; throws if the rows of another
     * are absent.
     */
    private SortedMap<String, Map<String, Property>> present(
            StepsOutcome outcome, Collection<DatasetName> asked, Collection<String> properties) {
        Set<DatasetName> missing = outcome.missing(asked);
        StepsOutcome ofOthers = missing.isEmpty() ? outcome : StepsOutcome.success(outcome.output());
        SortedMap<String, Map<String, Property>> found = rows(ofOthers, words(asked), properties);
        for (DatasetName name : asked) {
            if (!missing.contains(name) && !found.containsKey(name.value())) {
                throw untrue("the properties of " + name + " were read without a complaint, and none came");
            }
        }
        return found;
    }

    private static String words(Collection<DatasetName> names) {
        return names.stream().map(DatasetName::value).collect(Collectors.joining(" "));
    }

    /** Returns the properties of a dataset and those below it, down to a depth; empty if it does not exist. */
    public SortedMap<String, Map<String, Property>> below(
            DatasetName top, int depth, Collection<DatasetType> types, Collection<String> properties, Work work) {
        Steps steps = new Steps().then(zfs.getBelow(List.of(top), depth, types, properties));
        StepsOutcome outcome = run("zfs list", top.value(), steps, LONGEST_LIST, work);
        if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            return new TreeMap<>();
        }
        SortedMap<String, Map<String, Property>> found = rows(outcome, top.value(), properties);
        if (types.size() == DatasetType.values().length && !found.containsKey(top.value())) {
            throw untrue("what lies below " + top + " was read without a complaint, and it is not there itself");
        }
        return found;
    }

    /** Returns the bytes that can be written below a dataset, or below the nearest existing one above it. */
    public long available(DatasetName name, Work work) {
        List<String> asked = List.of(AVAILABLE);
        Steps steps = new Steps().then(zfs.get(name.value(), asked));
        Optional<String> text = found(look("zfs get", name.value(), steps, work), name.value(), asked)
                .flatMap(rows -> Optional.ofNullable(rows.get(AVAILABLE)))
                .map(Property::value);
        if (text.isEmpty()) {
            return available(name.parent().orElseThrow(() -> scripts.noPool(name)), work);
        }
        return text.filter(digits -> digits.matches("[0-9]{1,19}"))
                .map(Long::parseLong)
                .orElseThrow(() -> untrue(name + " has " + text.get() + " bytes available"));
    }

    /** Returns the rows that a successful outcome printed; throws if the steps failed. */
    public SortedMap<String, Map<String, Property>> rows(
            StepsOutcome outcome, String target, Collection<String> properties) {
        if (!outcome.succeeded()) {
            throw failure("reading " + target, outcome);
        }
        return printed(outcome, target, properties, properties);
    }

    /**
     * Returns the rows that were printed before the steps ended, whether they succeeded or not.
     *
     * @param everywhere see {@link Rows#read(String, Collection, Collection)}
     */
    public SortedMap<String, Map<String, Property>> printed(
            StepsOutcome outcome, String target, Collection<String> properties, Collection<String> everywhere) {
        try {
            return Rows.read(outcome.output(), properties, everywhere);
        } catch (Rows.UnreadableException e) {
            throw untrue("the properties of " + target + ": " + e.getMessage());
        }
    }

    /** Returns a step's failure in the terms of the domain; one that is not known to be final will be retried. */
    public StorageException failure(String doing, StepsOutcome outcome) {
        return scripts.failure(doing, outcome);
    }

    /** Returns the failure of something that was not done and cannot be done until somebody changes something. */
    public StorageException rejected(String detail) {
        return new StorageException(new Failure.BackendRejected(connection.value(), detail));
    }

    /** Returns a step's failure as one that will be retried, whatever the complaint. */
    public StorageException unavailable(String doing, StepsOutcome outcome) {
        return notNow(doing + ": " + outcome.lastWord());
    }

    /** Returns a failure that will be retried, whatever the failure that caused it. */
    public StorageException retried(String detail, StorageException cause) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail), cause);
    }

    public StorageException untrue(String detail) {
        return new StorageException(new Failure.Unintelligible(connection.value(), detail));
    }

    /** Returns a failure that will be retried; nothing was done that could prevent that. */
    public StorageException notNow(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail));
    }
}
