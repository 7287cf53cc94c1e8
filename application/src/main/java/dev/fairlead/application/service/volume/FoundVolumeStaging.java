package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.in.volume.GetVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.Map;

/**
 * Stages volumes whose context does not say how they are attached, as those that another driver made: their storage is
 * asked, which a process that is controller and node at once can do.
 *
 * @param staging stages a volume by its context
 */
public record FoundVolumeStaging(StageVolume staging, GetVolume volumes) implements StageVolume {
    @Override
    public void stage(Command command, Work work) {
        staging.stage(
                command.context().containsKey(AttachmentCodec.NODE_ATTACH_DRIVER) ? command : completed(command, work),
                work);
    }

    private Command completed(Command command, Work work) {
        Map<String, String> context;
        try {
            context = new HashMap<>(volumes.get(command.handle(), work).context());
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.BackendRejected(String connection, String detail)) {
                // A final code would say that nothing of the volume is left on the node.
                throw new StorageException(new Failure.BackendUnavailable(connection, detail), e);
            }
            if (!FinalCodes.isFinal(e.failure())) {
                throw e;
            }
            return command; // which is refused with what its context lacks
        }
        command.context().forEach(context::putIfAbsent);
        return new Command(
                command.handle(),
                command.staging(),
                command.capability(),
                context,
                command.publishContext(),
                command.secrets());
    }
}
