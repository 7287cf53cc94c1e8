package dev.fairlead.application.port.out.adoption;

import java.util.Optional;

/** Begins adoptions in the cluster of this process. */
public interface Adoptions {
    /** Returns the namespace of the access to the cluster; empty if it says none. */
    Optional<String> namespace();

    /**
     * Begins an adoption, without any effect yet.
     *
     * @param back whether adopted volumes are given back
     * @param intents the namespace of the ConfigMaps in which intents are kept
     */
    Adoption of(AdoptionTarget target, boolean back, String intents);
}
