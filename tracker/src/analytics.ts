// The build of sites that use web analytics alone.
import { start } from "./start";

start();
