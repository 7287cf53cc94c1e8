package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Makes a staged volume appear at a pod's target path (CSI NodePublishVolume). */
public interface MountVolume {
    void mount(Command command, Work work);

    record Command(
            String handle,
            Optional<Path> staging,
            Path target,
            VolumeCapability capability,
            boolean readOnly,
            Map<String, String> context,
            Map<String, String> publishContext) {
        public Command {
            context = Map.copyOf(context);
            publishContext = Map.copyOf(publishContext);
        }
    }
}
