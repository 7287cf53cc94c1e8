package dev.fairlead.application.port.in.node;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.Map;

/** Makes a volume appear at its staging path on this node. */
public interface StageVolume {
    void stage(Command command, Work work);

    /** @param secrets the stage secrets, by their keys as they came */
    record Command(
            String handle,
            Path staging,
            VolumeCapability capability,
            Map<String, String> context,
            Map<String, String> publishContext,
            Map<String, Secret> secrets) {
        public Command {
            context = Map.copyOf(context);
            publishContext = Map.copyOf(publishContext);
            secrets = Map.copyOf(secrets);
        }
    }
}
