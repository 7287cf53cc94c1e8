package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StageJournal.CutFormat;
import dev.fairlead.application.port.out.node.StageJournal.FilesystemState;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.format.FormatGuard.Begun;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether the making of a file system that was cut off may begin anew.
 *
 * <p>It may while this node keeps the device, which it had proved empty. Once the device is given back, others may
 * write to it, so a digest of what is on it is noted before, and has to be the same later. It is taken of the places
 * that prove a device empty, so whoever would be noticed on an empty device is noticed on this one.
 */
public record CutFormats(Filesystems filesystems, StageJournal journal) {
    /** Stands in the place of a digest for what could not be read; no digest equals it. */
    private static final String UNREADABLE = "unreadable";

    private static final Logger log = LoggerFactory.getLogger(CutFormats.class);

    static boolean isCut(StageJournal.Entry entry) {
        return cut(entry).isPresent();
    }

    private static Optional<CutFormat> cut(StageJournal.Entry entry) {
        return entry.filesystem().flatMap(FilesystemState::cut);
    }

    /** Returns whether the device of an entry was given back after its format was cut. */
    static boolean isGivenBack(StageJournal.Entry entry) {
        return cut(entry).flatMap(CutFormat::remains).isPresent();
    }

    /** Tells what is known of the making of a file system on a device that is attached now. */
    Begun on(Path device, StageJournal.Entry entry, Work work) {
        return cut(entry)
                .map(it -> isUntouched(it, device, work) ? Begun.ON_THIS_DEVICE : Begun.ON_UNKNOWN_DEVICE)
                .orElse(Begun.NO);
    }

    private boolean isUntouched(CutFormat cut, Path device, Work work) {
        return cut.identity().equals(filesystems.identity(device, work))
                && cut.remains()
                        .map(it -> it.equals(filesystems.digest(device, work)))
                        .orElse(true);
    }

    /**
     * Forgets what is known of a device that is given back, and notes what is on it before, once. If it cannot be read,
     * that is noted, so whatever is found on it later counts as somebody else's. So does what is on it while another
     * volume has it, too.
     *
     * @param ofAnother whether another volume of this node has the device
     * @return whether the entry lets a later stage begin anew; false if no format was cut, or the device cannot be read
     *     any more
     */
    boolean giveBack(StageJournal.Entry entry, boolean ofAnother, Work work) {
        Optional.ofNullable(entry.facts().get(Attacher.DEVICE)).map(Path::of).ifPresent(filesystems::forgetFailures);
        if (!isCut(entry) || isGivenBack(entry)) {
            return isCut(entry);
        }
        FilesystemState content = entry.filesystem().orElseThrow();
        CutFormat cut = content.cut().orElseThrow();
        Optional<String> remains = ofAnother ? Optional.empty() : remains(entry.handle(), cut, work);
        CutFormat noted = new CutFormat(cut.device(), cut.identity(), Optional.of(remains.orElse(UNREADABLE)));
        journal.write(entry.with(new FilesystemState(content.type(), content.uuid(), Optional.of(noted))), work);
        return remains.isPresent();
    }

    /** Notes that another volume gets the device, so whatever is found on it later counts as somebody else's. */
    void giveUp(StageJournal.Entry entry, Work work) {
        cut(entry).filter(it -> !it.remains().equals(Optional.of(UNREADABLE))).ifPresent(cut -> {
            if (cut.remains().isEmpty()) {
                var _ = remains(entry.handle(), cut, work); // throws while a program is at work on the device
            }
            FilesystemState content = entry.filesystem().orElseThrow();
            CutFormat noted = new CutFormat(cut.device(), cut.identity(), Optional.of(UNREADABLE));
            journal.write(entry.with(new FilesystemState(content.type(), content.uuid(), Optional.of(noted))), work);
        });
    }

    private Optional<String> remains(String handle, CutFormat cut, Work work) {
        try {
            return filesystems.identity(cut.device(), work).equals(cut.identity())
                    ? Optional.of(filesystems.digest(cut.device(), work))
                    : Optional.empty();
        } catch (StorageException e) {
            work.checkCancelled();
            if (e.failure() instanceof Failure.OperationPending) {
                throw e; // a program is at work on the device, so it is not given back now
            }
            log.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("volume", handle)
                    .addKeyValue("device", cut.device())
                    .setCause(e)
                    .log("making its file system was cut off, and what that left cannot be read before it is detached");
            return Optional.empty();
        }
    }
}
