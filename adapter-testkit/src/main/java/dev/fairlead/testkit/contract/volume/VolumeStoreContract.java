package dev.fairlead.testkit.contract.volume;

/**
 * Everything that a {@code VolumeStore} promises. A test class that implements this interface inherits the tests; it
 * provides the subject, and nothing else.
 */
public interface VolumeStoreContract
        extends VolumeLifeContract,
                VolumeNotesContract,
                VolumeListContract,
                VolumeContentContract,
                VolumeHostileContract,
                VolumeInterruptionContract,
                VolumeConcurrencyContract {}
