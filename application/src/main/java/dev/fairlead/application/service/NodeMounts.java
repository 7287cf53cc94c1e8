package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.util.List;

/** Tells where a node has a volume mounted, to the controller in its process; no other node's mounts are known. */
@FunctionalInterface
public interface NodeMounts {
    /** Where the nodes are other processes, whoever asks for a deletion has to know that the volume is unmounted. */
    NodeMounts ELSEWHERE = (_, _) -> List.of();

    /** The mount points by which programs may use it; empty where nothing is known of any. */
    List<String> of(Attachment attachment, Work work);
}
