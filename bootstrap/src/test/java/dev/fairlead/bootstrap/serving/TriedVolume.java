package dev.fairlead.bootstrap.serving;

import java.util.List;
import java.util.Map;

/** A volume of one protocol: how its storage makes and grows it, and what a node may have left of it. */
interface TriedVolume {
    boolean block();

    Map<String, String> context();

    Map<String, String> secrets();

    /** Makes it as it is when nobody has used it, or makes it so again. */
    void makeNew() throws Exception;

    /** Makes it larger on the side of the storage, and returns its size; zero if it is not grown while in use. */
    long grow() throws Exception;

    /** Returns the sessions, connections and records that the node has for it. */
    List<String> left() throws Exception;

    void remove() throws Exception;
}
