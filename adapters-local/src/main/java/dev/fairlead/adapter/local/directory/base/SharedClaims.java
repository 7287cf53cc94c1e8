package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout.NodePlaces;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.sign.NodeSign;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims ids by files in a base folder that several nodes share.
 *
 * <p>A node shows that it is alive by the time of a file, which the file system sets, so that clocks of nodes do not
 * matter. What a node that has shown nothing for {@link #GONE} was making is made by whoever is asked for it, and what
 * it left unfinished is deleted. A node that was only slow finds its claim taken and gives up before it has put
 * anything into its place.
 */
final class SharedClaims implements NodeClaims {
    /** The time after which a node that showed nothing counts as gone. */
    static final Duration GONE = Duration.ofMinutes(10);

    private static final Duration BEAT = Duration.ofMinutes(1);
    private static final String NODE = "node";
    private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final Logger LOG = LoggerFactory.getLogger(SharedClaims.class);

    private final BaseFolderLayout layout;
    private final NodePlaces places;
    private final CreationsInProgress creations;
    private final InstantSource clock;
    private final Alarm alarm;
    private final Executor background;
    private final DirectoryFailures failures;
    private final NodeSign sign;
    private Instant nextBeat = Instant.MIN;
    private Instant nextTakeover = Instant.MIN;
    private int running;
    private boolean armed;

    SharedClaims(
            BaseFolderLayout layout,
            NodePlaces places,
            CreationsInProgress creations,
            InstantSource clock,
            Alarm alarm,
            Executor background,
            DirectoryFailures failures) {
        this.layout = layout;
        this.places = places;
        this.creations = creations;
        this.clock = clock;
        this.alarm = alarm;
        this.background = background;
        this.failures = failures;
        this.sign = new NodeSign(places.alive(places.name()), creations.prefix(), GONE, clock);
    }

    @Override
    public boolean areNeeded() {
        return true;
    }

    @Override
    public void seen() {
        try {
            beatIfDue();
        } catch (IOException | StorageException e) {
            // What is only read does not fail since nothing can be written.
            LOG.atWarn()
                    .addKeyValue("base", layout.base())
                    .setCause(e)
                    .log("other nodes cannot be shown that this one is at work in a shared pool");
        }
    }

    @Override
    public void begin(Trash trash, Work work) throws IOException {
        places.refuseStale(layout.base(), failures);
        beatIfDue();
        refuseSucceeded();
        if (isTakeoverDue()) {
            Instant now = now();
            for (Path other : Trash.entries(places.all())) {
                String name = String.valueOf(other.getFileName());
                if (!name.equals(places.name()) && !sign.isYoung(places.alive(name), now)) {
                    takeOver(places.partial(name), trash, work);
                    takeOver(other.resolve(NodePlaces.TRASH), trash, work);
                }
            }
            for (Path claim : Trash.entries(places.claims())) {
                Optional<String> holder = holder(claim);
                if (holder.isPresent() && !isOwn(holder) && !sign.isYoung(places.alive(holder.get()), now)) {
                    Records.remove(claim, work);
                }
            }
        }
    }

    private static void takeOver(Path folder, Trash trash, Work work) throws IOException {
        for (Path entry : Trash.entries(folder)) {
            trash.discard(entry, work);
        }
    }

    private synchronized boolean isTakeoverDue() {
        Instant now = clock.instant();
        boolean due = !now.isBefore(nextTakeover);
        nextTakeover = due ? now.plus(GONE) : nextTakeover;
        return due;
    }

    private void beatIfDue() throws IOException {
        if (isBeatDue()) {
            try {
                beat();
                dropStale();
            } catch (IOException | StorageException e) {
                synchronized (this) {
                    nextBeat = Instant.MIN;
                }
                throw e;
            }
        }
    }

    private synchronized boolean isBeatDue() {
        Instant now = clock.instant();
        // A clock that was set back must not keep this node silent until it is as late as it was.
        boolean due = !now.isBefore(nextBeat) || now.plus(BEAT).isBefore(nextBeat);
        nextBeat = due ? now.plus(BEAT) : nextBeat;
        return due;
    }

    /** Sets the time of this node's file; the first time in the place of an earlier process. */
    private void beat() throws IOException {
        if (!creations.begin(places.alive(places.name()))) {
            refuseSucceeded();
        }
        sign.put();
    }

    /** Throws if another process of this node's name has begun after this one. */
    private void refuseSucceeded() throws IOException {
        if (!sign.isOwn()) {
            throw failures.unavailable("another process that calls its node " + places.name() + " has begun to work in"
                    + " the shared pool " + layout.base()
                    + ", and this one has stopped; if no other one is to run, give"
                    + " each node a CSI_NODE_ID of its own and start this driver again");
        }
    }

    /** Removes claims that an earlier process of this node left, or that could not be given back. */
    private void dropStale() throws IOException {
        for (Path claim : Trash.entries(places.claims())) {
            if (!creations.isBusy(claim) && isOwn(holder(claim))) {
                Files.deleteIfExists(claim);
            }
        }
    }

    /** Shows that this node is alive as long as it makes something, even if no call comes. */
    private synchronized void beatWhileRunning() {
        if (running > 0 && !armed) {
            armed = true;
            var _ = alarm.at(clock.instant().plus(BEAT), () -> background.execute(this::beatAndGoOn));
        }
    }

    private void beatAndGoOn() {
        seen();
        synchronized (this) {
            armed = false;
        }
        beatWhileRunning();
    }

    private synchronized void begun() {
        running++;
        beatWhileRunning();
    }

    private synchronized void ended() {
        running--;
    }

    @Override
    public void take(RecordedFolders folders, String id, Trash trash, Work work) throws IOException {
        Path claim = places.claim(folders, id);
        if (!creations.begin(claim)) {
            throw failures.unavailable(folders.kind() + " " + id + " is being made already");
        }
        begun();
        try {
            put(claim, folders, id, trash, work);
            check(folders, id);
        } catch (IOException | StorageException e) {
            forget(claim);
            throw e;
        }
    }

    private void put(Path claim, RecordedFolders folders, String id, Trash trash, Work work) throws IOException {
        takeFromGone(claim, folders, id, trash, work);
        boolean there = RecordedFolders.stat(claim).isPresent();
        Path draft = layout.partial().resolve(creations.prefix() + "claim." + folders.kind() + "." + id);
        Records.prepare(draft, new TreeMap<>(Map.of(NODE, places.name())), work);
        if (there) {
            Records.put(draft, claim, work);
        } else {
            work.effect(new Effect("link", claim.toString()), () -> link(draft, claim));
        }
        Records.remove(draft, work);
    }

    /** Links a claim to its place; a link, unlike a rename, does not replace that of a node that was quicker. */
    private void link(Path draft, Path claim) throws IOException {
        try {
            Files.createLink(claim, draft);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException e) { // this file system has no hard links
            Files.createFile(claim);
            Records.replace(claim, draft, new TreeMap<>(Map.of(NODE, places.name())));
        }
    }

    @Override
    public boolean holds(RecordedFolders folders, String id) throws IOException {
        return sign.isOwn() && isOwn(holder(places.claim(folders, id)));
    }

    @Override
    public void check(RecordedFolders folders, String id) throws IOException {
        refuseSucceeded();
        Optional<String> holder = holder(places.claim(folders, id));
        if (!isOwn(holder)) {
            throw failures.unavailable("another node"
                    + holder.map(it -> ", " + it + ",").orElse("")
                    + " has taken over to make " + folders.kind() + " " + id + ", since this one was silent for "
                    + GONE.toMinutes() + " minutes");
        }
    }

    @Override
    public void release(RecordedFolders folders, String id, Work work) {
        Path claim = places.claim(folders, id);
        try {
            if (holds(folders, id)) {
                Records.remove(claim, work);
            }
        } catch (IOException | StorageException e) {
            LOG.atWarn().addKeyValue("claim", claim).setCause(e).log("a claim could not be given back; it is later");
        } finally {
            forget(claim);
        }
    }

    private void forget(Path claim) {
        creations.end(claim);
        ended();
    }

    @Override
    public void refuseOthers(RecordedFolders folders, String id, Trash trash, Work work) throws IOException {
        Path claim = places.claim(folders, id);
        if (RecordedFolders.stat(claim).isPresent() && !creations.isBusy(claim)) {
            takeFromGone(claim, folders, id, trash, work);
            Records.remove(claim, work);
        }
    }

    /**
     * Throws if another node is making something, and takes away what a node that is gone was making. It may only
     * sleep, after its last look at its claim, and would put that into its place when it wakes up.
     */
    private void takeFromGone(Path claim, RecordedFolders folders, String id, Trash trash, Work work)
            throws IOException {
        Optional<String> holder = holder(claim);
        if (holder.isEmpty() && RecordedFolders.stat(claim).isPresent() && sign.isYoung(claim, now())) {
            throw failures.unavailable("another node begins to make " + folders.kind() + " " + id + " in this pool");
        }
        if (holder.isPresent() && !isOwn(holder)) {
            if (sign.isYoung(places.alive(holder.get()), now())) {
                throw failures.unavailable("node " + holder.get() + " is making " + folders.kind() + " " + id
                        + " in this pool; if that node is gone for good, it counts as gone " + GONE.toMinutes()
                        + " minutes after its last sign, or once " + places.alive(holder.get()) + " is removed");
            }
            takeOver(places.partial(holder.get()), trash, work);
        }
    }

    private boolean isOwn(Optional<String> holder) {
        return holder.filter(places.name()::equals).isPresent();
    }

    /** Returns the node that a claim is of; empty if there is none, or it is not written yet. */
    private static Optional<String> holder(Path claim) throws IOException {
        return Records.read(claim).map(fields -> fields.getOrDefault(NODE, "")).filter(NODE_NAME.asMatchPredicate());
    }

    /** Returns the time by the clock of the file system, which those of nodes need not agree with. */
    private Instant now() throws IOException {
        beat();
        return sign.time();
    }
}
