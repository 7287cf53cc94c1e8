package dev.fairlead.application.port.out.placement;

/** Takes a source's hints that a placement may have changed. A hint decides nothing; it only makes a query earlier. */
public interface PlacementHints {
    /** Tells that one volume may have moved; a handle that is nobody's does no harm. */
    void moved(String handle);

    /** Tells that any volume of the source may have moved. */
    void anyMoved();
}
