package dev.fairlead.application.port.out.placement;

import java.util.Set;

/**
 * Holds what another controller has kept of a PersistentVolume that it was replacing; all of it was written by others.
 *
 * @param driver the CSI driver of the volume
 * @param handles the handles that the PersistentVolume may have
 * @param resource the name of the volume in the storage
 * @param place where it is kept, in words for people
 * @param text what is kept
 */
public record SavedVolume(String driver, Set<String> handles, String resource, String place, String text) {
    public SavedVolume {
        handles = Set.copyOf(handles);
    }
}
