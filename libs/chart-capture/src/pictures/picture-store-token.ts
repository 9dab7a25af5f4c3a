/** Injects the `PictureStore`. */
export const PICTURE_STORE = Symbol('PictureStore');
