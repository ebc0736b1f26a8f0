export default class Named { static self = Named }
