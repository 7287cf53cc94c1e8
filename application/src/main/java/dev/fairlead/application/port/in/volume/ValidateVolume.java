package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says whether an existing volume can be used as described. */
public interface ValidateVolume {
    /** Returns why the volume cannot be used as described; empty if it can. */
    Optional<String> objection(Command command, Work work);

    record Command(
            String handle,
            List<VolumeCapability> capabilities,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutable) {
        public Command {
            mutable = Map.copyOf(mutable);
            capabilities = List.copyOf(capabilities);
            context = Map.copyOf(context);
            parameters = Map.copyOf(parameters);
        }

        /** Makes a command for a volume that was requested without mutable parameters. */
        public Command(
                String handle,
                List<VolumeCapability> capabilities,
                Map<String, String> context,
                Map<String, String> parameters) {
            this(handle, capabilities, context, parameters, Map.of());
        }
    }
}
