package dev.fairlead.application.port.out.cluster;

/**
 * Something that happened. A later one of the same kind about the same subject takes the place of an earlier one.
 *
 * @param subject what it is about, such as a connection's name
 * @param text for people; holds no secret
 */
public record Announcement(Kind kind, String subject, String text) {
    /** What happened. */
    public enum Kind {
        CONNECTION_REJECTED,
        CONNECTION_RECOVERED,
        CONNECTION_REMOVED,
        FOLDER_TROUBLED
    }
}
