package dev.fairlead.adapter.local.pool;

/** A pool of images. */
class PooledVolumeStoreTest extends PoolContract {
    @Override
    String kind() {
        return "image";
    }
}
