package dev.fairlead.bootstrap.folder;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;

/** Receives the changes of the files in the connections folder, one call at a time. */
public interface ConnectionListener {
    /** Tells that a file is new, or that its content has changed. */
    void changed(ConnectionName name, byte[] content);

    /** Tells that a file exists and cannot be read. */
    void unreadable(ConnectionName name, Problem problem);

    void removed(ConnectionName name);

    /** Tells that all files of the folder were looked at, whether or not one had changed. */
    void looked();

    /**
     * Tells the problems of the folder itself, or of files in it that can be no connection; called when they change.
     */
    void folder(List<Problem> problems);
}
