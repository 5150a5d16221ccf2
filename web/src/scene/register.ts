// Puts the maker of drawings in space in its place; page3d.js has this, page.js has not.
import { Space } from "./space";
import { space } from "./stage";

space.make = (...args) => new Space(...args);
