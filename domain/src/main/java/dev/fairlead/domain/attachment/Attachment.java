package dev.fairlead.domain.attachment;

/** What a node needs to reach a volume. It travels as the {@code volume_context}, see {@link AttachmentCodec}. */
public sealed interface Attachment {
    /** A directory of the node itself, by the path under which the node sees it. */
    record HostPath(String path) implements Attachment {
        public HostPath {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("path: '" + path + "' (expected: an absolute path)");
            }
        }
    }
}
