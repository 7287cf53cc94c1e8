package dev.fairlead.application.port.out.placement;

import java.util.Map;
import java.util.Optional;

/**
 * Holds what a PersistentVolume says about the volume behind it; all of it was written by others.
 *
 * @param name the PersistentVolume's name
 * @param driver the CSI driver's name
 * @param handle the volume's handle
 * @param attributes {@code spec.csi.volumeAttributes}
 * @param annotations the PersistentVolume's annotations
 * @param storageClass the name of its class; empty if it names none
 * @param classParameters the parameters of that class; empty if the class is gone, could not be read or is that of
 *     another provisioner
 */
public record PlacedVolume(
        String name,
        String driver,
        String handle,
        Map<String, String> attributes,
        Map<String, String> annotations,
        Optional<String> storageClass,
        Optional<Map<String, String>> classParameters) {
    public PlacedVolume {
        attributes = Map.copyOf(attributes);
        annotations = Map.copyOf(annotations);
        classParameters = classParameters.map(Map::copyOf);
    }
}
