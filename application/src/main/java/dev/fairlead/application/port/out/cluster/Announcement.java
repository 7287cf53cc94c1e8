package dev.fairlead.application.port.out.cluster;

/**
 * Describes an event for the orchestrator's users. A later announcement of the same kind about the same subject
 * replaces an earlier one.
 *
 * @param subject what it is about, such as a connection's name
 * @param text for people; holds no secret
 */
public record Announcement(Kind kind, String subject, String text) {
    /** Lists the kinds of events. */
    public enum Kind {
        CONNECTION_REJECTED,
        CONNECTION_RECOVERED,
        CONNECTION_REMOVED,
        FOLDER_TROUBLED,
        ATTACHMENT_LEFT_OVER,
        VOLUME_ABNORMAL,
        VOLUME_RECOVERED,
        POOL_ABNORMAL,
        POOL_ON_SYSTEM_DISK,
        POOL_RECOVERED,
        POOL_ELSEWHERE;

        /** Returns whether it is about a volume, and so about what those who use it can bring about. */
        public boolean isOfVolume() {
            return this == VOLUME_ABNORMAL || this == VOLUME_RECOVERED;
        }
    }
}
