package dev.fairlead.application.port.out.node;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.Map;

/**
 * Describes a request to attach a volume to this node.
 *
 * @param capability as what the volume is to be used; with it file system type and mount flags
 * @param context the whole {@code volume_context}, with keys that Fairlead does not know
 * @param publishContext what ControllerPublishVolume answered
 * @param secrets the stage secrets, with democratic-csi's prefixes removed from their keys
 */
public record Attach<A extends Attachment>(
        String handle,
        A attachment,
        VolumeCapability capability,
        Map<String, String> context,
        Map<String, String> publishContext,
        Map<String, Secret> secrets) {
    public Attach {
        context = Map.copyOf(context);
        publishContext = Map.copyOf(publishContext);
        secrets = Map.copyOf(secrets);
    }
}
